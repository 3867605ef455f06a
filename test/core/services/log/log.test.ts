import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const BURST = 60_000;
const program = fileURLToPath(new URL('./log-writer.ts', import.meta.url));

describe('the log of a process', () => {
  const folder = createTemporaryFolder();
  after(folder.remove);

  /** What stands in a file that was the standard output of a process. */
  const writeFile = async (burst: number): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const file = join(folder.path, 'log');
    const descriptor = openSync(file, 'w');
    const child = spawn(process.execPath, [program, String(burst)], { stdio: ['ignore', descriptor, 'inherit'] });
    closeSync(descriptor);
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('writes every line to a file, however many come at once', async () => {
    const burst = (await writeFile(BURST)).filter(({ message }) => message === 'burst');
    expect(burst).to.have.length(BURST);
    expect(burst.every(({ index }, place) => index === place)).to.equal(true);
  });

  it('writes the same line for fields and for fields in JSON form, with the fields of a child logger', async () => {
    const [one, other] = (await writeFile(0)).map(({ ts, ...line }) => ({ ...line, ts: typeof ts }));
    expect(one).to.deep.equal({
      level: 'info',
      worker: 7,
      extension: '[redacted]',
      one: 1,
      two: 'two',
      message: 'the same',
      ts: 'string',
    });
    expect(JSON.stringify(other)).to.equal(JSON.stringify(one));
  });
});
