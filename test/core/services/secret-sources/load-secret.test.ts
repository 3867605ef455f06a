import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { redactKnown } from '../../../../core/canonical/text/known-secrets.ts';
import { findProgram } from '../../../../core/services/secret-sources/find-program.ts';
import { loadSecret } from '../../../../core/services/secret-sources/load-secret.ts';
import { runProgram } from '../../../../core/services/secret-sources/run-program.ts';
import type { SecretSource } from '../../../../core/services/secret-sources/source.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const { signal } = new AbortController();
const forever = Number.POSITIVE_INFINITY;

const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

describe('a secret from elsewhere', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  const load = (source: SecretSource) => loadSecret(source, folder.path, signal);
  const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
  /** A program that runs this code. */
  const node = (code: string, ...args: readonly string[]): SecretSource => ({
    exec: [process.execPath, '-e', code, ...args],
  });

  beforeEach(() => {
    folder = createTemporaryFolder();
  });
  afterEach(() => folder.remove());

  it('a file is read without white space around the secret, which is then redacted in every text', async () => {
    write('key', '\n sk-file-secret-1 \n');
    expect(await load({ file: 'key' })).to.deep.equal({ secret: 'sk-file-secret-1', endsAt: forever });
    expect(redactKnown('it is sk-file-secret-1.')).to.equal('it is [redacted].');
  });

  it('a file that is missing, empty, too long or has several lines is refused, without its content', async () => {
    expect(await messageOf(load({ file: 'key' }))).to.equal('the file cannot be read (ENOENT)');
    expect(await messageOf(load({ file: '.' }))).to.equal('the file cannot be read (EISDIR)');
    write('key', ' \n');
    expect(await messageOf(load({ file: 'key' }))).to.equal('it is empty');
    write('key', 'sk-one-line\nsk-another-line');
    expect(await messageOf(load({ file: 'key' }))).to.equal('it is not one line of printable ASCII characters');
    write('key', 'k'.repeat(65_537));
    expect(await messageOf(load({ file: 'key' }))).to.equal('the file has more than 64 kB');
  });

  it('a program prints the secret as text, or as an ExecCredential with its end', async () => {
    expect(await load(node("console.log('sk-printed-1')"))).to.deep.equal({ secret: 'sk-printed-1', endsAt: forever });
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'sk-printed-2', expirationTimestamp: '2030-01-01T00:00:00Z' },
    };
    const print = 'console.log(process.argv[1])';
    expect(await load(node(print, JSON.stringify(credential)))).to.deep.equal({
      secret: 'sk-printed-2',
      endsAt: Date.UTC(2030, 0, 1),
    });
    expect(await load(node(print, '{"status":{"token":"sk-printed-3"}}'))).to.include({ endsAt: forever });
  });

  it('a program runs in the folder, with the environment of the gateway and without a shell or an input', async () => {
    write('key', 'sk-of-folder');
    expect(await load({ exec: ['cat', 'key'] })).to.include({ secret: 'sk-of-folder' });
    expect(await load(node('process.stdin.on("end", () => console.log("sk-no-input")).resume()'))).to.include({
      secret: 'sk-no-input',
    });
    expect(await load({ exec: ['echo', '$HOME;', 'id', '|', 'cat'] })).to.include({ secret: '$HOME; id | cat' });
    expect(await load(node('console.log(process.env.PATH)'))).to.include({ secret: process.env['PATH'] });
    write('print-key', '#!/bin/sh\necho sk-of-script\n');
    chmodSync(join(folder.path, 'print-key'), 0o755);
    expect(await load({ exec: ['./print-key'] })).to.include({ secret: 'sk-of-script' });
  });

  it('a program that fails is described without its arguments and its output', async () => {
    const fail = "console.log('sk-not-shown'); console.error('sk-not-shown'); process.exit(3)";
    expect(await messageOf(load(node(fail, 'sk-not-shown')))).to.equal('the program ended with exit code 3');
    expect(await messageOf(load(node("process.kill(process.pid, 'SIGTERM')")))).to.equal(
      'the program was ended by SIGTERM',
    );
    expect(await messageOf(load({ exec: ['./none'] }))).to.equal('the program was not found');
    expect(await messageOf(load(node("process.stdout.write('k'.repeat(100_000))")))).to.equal(
      'the program printed more than 64 kB',
    );
    expect(await messageOf(load(node("console.log('{sk-not-shown')")))).to.equal('the program printed invalid JSON');
    expect(await messageOf(load(node('console.log(\'{"token":"sk-not-shown"}\')')))).to.equal(
      'the program printed JSON without status.token',
    );
    const undated = '{"status":{"token":"sk-not-dated","expirationTimestamp":"tomorrow"}}';
    expect(await messageOf(load(node('console.log(process.argv[1])', undated)))).to.equal(
      'status.expirationTimestamp of the program is not a date and time',
    );
  });

  it('a program that does not end is killed at its deadline, or when the gateway no longer needs it', async () => {
    const code =
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); " +
      "require('node:fs').writeFileSync('pid', String(process.pid))";
    const stuck = [process.execPath, '-e', code];
    const pid = async (): Promise<number> => {
      let id = 0;
      await until('the program started', async () => {
        const text = await load({ file: 'pid' }).catch(() => ({ secret: '' }));
        id = Number(text.secret);
        return id > 0;
      });
      return id;
    };
    const late = messageOf(runProgram(stuck, folder.path, signal, 5_000));
    const first = await pid();
    expect(await late).to.equal('the program did not end in time');
    await until('the first program ended', () => !isRunning(first));
    write('pid', '');
    const aborting = new AbortController();
    const aborted = messageOf(runProgram(stuck, folder.path, aborting.signal, 600_000));
    const second = await pid();
    aborting.abort();
    expect(await aborted).to.match(/^the program /);
    await until('the second program ended', () => !isRunning(second));
  });

  it('finds a program in PATH, or by its path from the folder, if it can be executed', () => {
    write('text', 'not a program');
    write('tool', '#!/bin/sh\n');
    chmodSync(join(folder.path, 'tool'), 0o755);
    expect(findProgram('tool', '/', `/none:${folder.path}`)).to.equal(join(folder.path, 'tool'));
    expect(findProgram('./tool', folder.path)).to.equal(join(folder.path, 'tool'));
    expect(findProgram('tool', folder.path, '/none')).to.equal(undefined);
    if (process.getuid?.() !== 0) expect(findProgram('./text', folder.path)).to.equal(undefined);
    expect(findProgram('./none', folder.path)).to.equal(undefined);
    expect(findProgram('/', folder.path)).to.equal(undefined);
  });
});
