import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { BatchedOutput } from '../../../../core/services/log/output.ts';
import { PipeLock } from '../../../../core/services/log/pipe-lock.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('the output of a log', () => {
  const folder = createTemporaryFolder();
  after(folder.remove);
  const listeners = { dropped: () => {}, resumed: () => {} };

  const takeAll = (pipe: number): string => {
    const bytes = Buffer.alloc(1_048_576);
    try {
      return bytes.toString('utf8', 0, readSync(pipe, bytes));
    } catch {
      return '';
    }
  };
  /** Both ends of a pipe, neither of which blocks. */
  const openPipe = (name: string): readonly [read: number, write: number] | undefined => {
    const fifo = join(folder.path, name);
    if (spawnSync('mkfifo', [fifo]).status !== 0) return undefined;
    const read = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    return [read, openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)];
  };

  it('has the lines of a turn of the event loop before an immediate that is queued after them', async () => {
    const file = join(folder.path, 'log');
    const descriptor = openSync(file, 'w');
    const output = new BatchedOutput(descriptor, listeners);
    output.write('one\n');
    output.write('two\n');
    expect(readFileSync(file, 'utf8')).to.equal('');
    await turn();
    expect(readFileSync(file, 'utf8')).to.equal('one\ntwo\n');
    closeSync(descriptor);
  });

  it('the main thread writes the rest of a line that a worker has begun, before any other line', async function () {
    const pipe = openPipe('rest');
    if (pipe === undefined) this.skip();
    const [read, write] = pipe;
    const lock = new PipeLock();
    const main = new BatchedOutput(write, listeners, lock);
    const rests: Uint8Array[] = [];
    const worker = new BatchedOutput(write, listeners, new PipeLock(1, lock.memory, (rest) => rests.push(rest)));
    const long = `${'x'.repeat(200_000)}\n`;
    worker.write(long);
    await turn();
    expect(rests).to.have.length(1);
    let text = takeAll(read);
    main.write('of the main thread\n');
    worker.write('of the worker\n');
    await turn();
    expect(takeAll(read), 'the worker and another line wait for the rest').to.equal('');
    rests.forEach((rest) => main.writeRest(rest));
    while (!text.includes('of the worker\n') || !text.includes('of the main thread\n')) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      text += takeAll(read);
    }
    expect(text.startsWith(long)).to.equal(true);
    expect(text.slice(long.length).split('\n').sort()).to.deep.equal(['', 'of the main thread', 'of the worker']);
    [read, write].forEach(closeSync);
  });

  it('a worker that has ended while it had the pipe keeps no other from writing', async function () {
    const pipe = openPipe('released');
    if (pipe === undefined) this.skip();
    const [read, write] = pipe;
    const lock = new PipeLock();
    const main = new BatchedOutput(write, listeners, lock);
    expect(new PipeLock(7, lock.memory, () => {}).enter(false)).to.equal(true);
    main.write('waits\n');
    await turn();
    expect(takeAll(read)).to.equal('');
    lock.release(6);
    lock.release(7);
    let text = '';
    await until('its line', () => (text += takeAll(read)) !== '');
    expect(text).to.equal('waits\n');
    [read, write].forEach(closeSync);
  });
});
