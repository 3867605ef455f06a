import { expect } from 'chai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { stringify } from 'yaml';
import { callOf } from '../support/calls.ts';
import { goodHeaders, send } from '../support/http.ts';
import { parseMetrics, sumOf } from '../support/parse-metrics.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { configOf } from './koine-process.ts';
import { bin } from '../support/servers/koine-program.ts';

const CONNECTIONS = 32;
const REQUESTS = 600;

type Line = Readonly<Record<string, unknown>>;

describe('the access log of two workers', function () {
  this.timeout(180_000);
  const folder = createTemporaryFolder();
  const log = join(folder.path, 'log');
  const children: ChildProcess[] = [];
  const agent = new Agent({ connections: CONNECTIONS });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(async () => {
    await agent.close();
    folder.remove();
  });

  /** @param stdout a descriptor, which is closed here */
  const start = async (stdout: number) => {
    const config = join(folder.path, 'gateway.yaml');
    writeFileSync(
      config,
      stringify(
        configOf({
          server: { workers: 2 },
          models: {
            'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
            // Every member that another wire lacks is a loss, which the line names.
            'simulator/other': { targets: [{ provider: 'simulator', model: 'chat', wire: 'messages' }] },
          },
          plugins: [{ use: 'auth' }, { use: 'metrics' }],
        }),
      ),
    );
    const koine = spawn(process.execPath, [bin, 'serve', '--config', config], {
      stdio: ['ignore', stdout, 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
    closeSync(stdout);
    children.push(koine);
    let stderr = '';
    koine.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const [, url = '', adminUrl = ''] = await new Promise<readonly string[]>((resolve, reject) => {
      koine.stderr?.on('data', () => {
        const found = /on (http:\S+) \(admin (http:[^)]+)\)/.exec(stderr);
        if (found !== null) resolve(found);
      });
      koine.once('exit', () => reject(new Error(`it did not start: ${stderr}`)));
    });
    return { koine, url, adminUrl, stderr: () => stderr };
  };

  const { path, body } = callOf('chat', 'simulator/chat');
  /** Each is a field of the line, which becomes some 2 kB long. */
  const tags = Array.from({ length: 10 }, (_, index) => `tag${index}=${'x'.repeat(128)}`).join();
  const headers = { ...goodHeaders, 'x-koine-tags': tags };
  const ask = async (url: string, sent: string): Promise<void> => {
    const reply = await request(`${url}${path}`, { method: 'POST', headers, body: sent, dispatcher: agent });
    await reply.body.dump();
    expect(reply.statusCode).to.equal(200);
  };
  /** Sends this many requests over all connections. */
  const flood = async (url: string, amount: number, sent = String(body)): Promise<void> => {
    let left = amount;
    const repeat = async (): Promise<void> => {
      while ((left -= 1) >= 0) await ask(url, sent);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, repeat));
  };

  /** A line has each of these members as a loss, and becomes some 9 kB long. */
  const long = JSON.stringify({
    ...(JSON.parse(String(body)) as object),
    model: 'simulator/other',
    ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`member_${index}_${'x'.repeat(100)}`, 1] as const)),
  });

  const stop = async (koine: ChildProcess): Promise<void> => {
    koine.kill('SIGTERM');
    expect(await once(koine, 'exit')).to.deep.equal([0, null]);
  };
  const readLines = (): readonly Line[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  const countExchanges = (lines: readonly Line[]): number =>
    lines.filter(({ message }) => message === 'exchange').length;

  it('has a line for every request when standard output is a file', async () => {
    const { koine, url } = await start(openSync(log, 'w'));
    await flood(url, REQUESTS);
    await stop(koine);
    const lines = readLines();
    expect(countExchanges(lines)).to.equal(REQUESTS);
    expect(new Set(lines.map(({ worker }) => worker))).to.include.all.keys([1, 2]);
  });

  it('has a line, or is counted as dropped by its reader, for every request when standard output is a pipe', async function () {
    const fifo = join(folder.path, 'fifo');
    if (spawnSync('mkfifo', [fifo]).status !== 0) this.skip();
    const file = openSync(log, 'w');
    const reader = spawn('cat', [fifo], { stdio: ['ignore', file, 'inherit'] });
    closeSync(file);
    children.push(reader);
    const hasRead = once(reader, 'exit');
    const { koine, url, adminUrl, stderr } = await start(openSync(fifo, 'w'));
    reader.kill('SIGSTOP');
    const dropped = async (): Promise<number> => {
      const { text } = await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} });
      const families = parseMetrics(text);
      const all = sumOf(families, 'koine_log_dropped_total');
      expect(sumOf(families, 'koine_log_dropped_total', { reason: 'slow_reader' })).to.equal(all);
      return all;
    };
    let sent = 0;
    while ((await dropped()) === 0) {
      expect(sent, 'lines without one that was dropped').to.be.below(20_000);
      await flood(url, 500);
      sent += 500;
    }
    reader.kill('SIGCONT');
    const reports = (): readonly Line[] =>
      readLines().filter(({ message }) => String(message).startsWith('lines of this log were dropped'));
    await stop(koine);
    await hasRead;
    const reported = reports().reduce((sum, { lines }) => sum + Number(lines), 0);
    expect(reported).to.be.above(0);
    // A dropped line can also be one of the few that are not of an exchange.
    expect(countExchanges(readLines()) + reported).to.be.within(sent, sent + 5);
    expect(stderr()).to.not.include('lost at the exit');
  });

  it('has whole lines in a pipe, also where they are longer than the kernel writes at once', async function () {
    const fifo = join(folder.path, 'fifo of long lines');
    if (spawnSync('mkfifo', [fifo]).status !== 0) this.skip();
    const file = openSync(log, 'w');
    const reader = spawn('cat', [fifo], { stdio: ['ignore', file, 'inherit'] });
    closeSync(file);
    children.push(reader);
    const hasRead = once(reader, 'exit');
    const { koine, url } = await start(openSync(fifo, 'w'));
    // The pipe is full while its reader stands still, so that writes are accepted in parts.
    for (let turn = 0; turn < 5; turn += 1) {
      reader.kill('SIGSTOP');
      await flood(url, 40, long);
      reader.kill('SIGCONT');
      await flood(url, 40, long);
    }
    await stop(koine);
    await hasRead;
    const lines = readLines();
    expect(countExchanges(lines)).to.equal(400);
    const lengths = lines.filter(({ message }) => message === 'exchange').map((line) => JSON.stringify(line).length);
    expect(Math.min(...lengths)).to.be.above(4_096);
    expect(new Set(lines.map(({ worker }) => worker))).to.include.all.keys([1, 2]);
  });
});
