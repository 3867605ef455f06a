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

  it('loses nothing that goes to a file, however much comes at once', async () => {
    const burst = (await writeFile(BURST)).filter(({ message }) => message === 'burst');
    expect(burst).to.have.length(BURST);
    expect(burst.every(({ index }, place) => index === place)).to.equal(true);
  });

  it('has the same line for fields and for fields that are JSON already, with what all lines of a child carry', async () => {
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
