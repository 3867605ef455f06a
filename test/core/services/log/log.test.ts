import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { keyHeaders } from '../../../../core/canonical/text/key-headers.ts';
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

  it('masks the headers in which clients send keys', async () => {
    const line = (await writeFile(0)).find(({ message }) => message === 'headers');
    const secret = ['authorization', 'cookie', ...keyHeaders].map((name) => [name, '[redacted]']);
    expect(line?.['headers']).to.deep.equal({ ...Object.fromEntries(secret), 'user-agent': 'top-secret' });
  });

  type Line = Readonly<Record<string, unknown>>;
  /** Runs a command of the shell in which `writer` is the process. */
  const runShell = async (command: string): Promise<{ readonly lines: readonly Line[]; readonly stderr: string }> => {
    const writer = `"${process.execPath}" "${program}" ${BURST}`;
    const shell = spawn('sh', ['-c', command.replace('writer', writer)], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return { lines: lines.map((line) => JSON.parse(line) as Line), stderr };
  };
  const WRITTEN = BURST + 3;
  const lostAtExit = (stderr: string): readonly [lines: number, reason: string] => {
    const [, lines = '0', reason = ''] =
      /koine: (\d+) lines of the log were lost at the exit \((\w+)\)/.exec(stderr) ?? [];
    return [Number(lines), reason];
  };

  it('counts every line that a slow pipe did not accept, and names the reader as the cause', async () => {
    const { lines, stderr } = await runShell('writer | { sleep 0.5; cat; }');
    const reports = lines.filter(({ message }) => String(message).startsWith('lines of this log were dropped'));
    const [lost, why] = lostAtExit(stderr);
    const reported = reports.reduce((sum, report) => sum + Number(report['lines']), 0);
    expect(reported + lost).to.be.above(0);
    expect(lines.length - reports.length + reported + lost).to.equal(WRITTEN);
    for (const { message, ...report } of reports) {
      expect(message).to.equal('lines of this log were dropped: the reader of standard output is too slow');
      expect(report).to.include({ level: 'warn', reason: 'slow_reader', code: 'EAGAIN' });
    }
    if (lost > 0) expect(why).to.equal('slow_reader');
  });

  it('reports on standard error how many lines a full disk took with it', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { stderr } = await runShell('writer > /dev/full');
    expect(lostAtExit(stderr)).to.deep.equal([WRITTEN, 'write_error']);
  });

  it('reports on standard error how many lines a reader did not want', async () => {
    const { lines, stderr } = await runShell('writer | head -n 1');
    expect(lines).to.have.length(1);
    const [lost, why] = lostAtExit(stderr);
    expect(lost).to.be.within(1, WRITTEN - 1);
    expect(why).to.equal('closed');
  });
});
