import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchedOutput } from '../../../../core/services/log/output.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('the output of a log', () => {
  const folder = createTemporaryFolder();
  after(folder.remove);
  const listeners = { dropped: () => {}, resumed: () => {} };

  it('has the lines of a turn of the event loop before an immediate that is queued after them', async () => {
    const file = join(folder.path, 'log');
    const descriptor = openSync(file, 'w');
    const output = new BatchedOutput(descriptor, false, listeners);
    output.write('one\n');
    output.write('two\n');
    expect([readFileSync(file, 'utf8'), output.isIdle]).to.deep.equal(['', false]);
    await turn();
    expect([readFileSync(file, 'utf8'), output.isIdle]).to.deep.equal(['one\ntwo\n', true]);
    closeSync(descriptor);
  });

  it('writes again what a reader that dies has not confirmed', async function () {
    const [fifo, file] = [join(folder.path, 'fifo'), join(folder.path, 'spare')];
    if (spawnSync('mkfifo', [fifo]).status !== 0) this.skip();
    // It never reads.
    const reader = spawn('sh', ['-c', `exec sleep 60 < ${fifo}`], { stdio: 'ignore' });
    const blocking = openSync(fifo, 'w');
    const pipe = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    closeSync(blocking);
    const output = new BatchedOutput(pipe, true, listeners, openSync(file, 'w'));
    for (const line of ['confirmed\n', 'of a turn\nas well\n']) {
      output.write(line, line.split('\n').length - 1);
      await turn();
    }
    output.confirm(1);
    reader.kill('SIGKILL');
    await once(reader, 'exit');
    output.write('after its death\n');
    await turn();
    expect(readFileSync(file, 'utf8')).to.equal('of a turn\nas well\nafter its death\n');
    closeSync(pipe);
  });
});
