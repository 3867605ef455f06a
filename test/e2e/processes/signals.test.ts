import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { KEY } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { bin } from '../../support/servers/koine-program.ts';

const config = {
  server: { drain: { delay: '0s' } },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: [{ use: 'auth' }],
};

interface Stream {
  text: string;
  /** True when the answer ended by itself, false when the connection broke. */
  readonly ended: Promise<boolean>;
}

describe('signals', () => {
  let folder: string;
  let child: ChildProcess;
  let url: string;
  let log: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'koine-signal-'));
    writeFileSync(join(folder, 'gateway.yaml'), stringify(config));
    log = '';
    child = spawn(
      process.execPath,
      [bin, 'serve', '--config', join(folder, 'gateway.yaml'), '--port', '0', '--admin-port', '0'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    url = await new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error(`it did not start: ${said}`)));
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /on (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
  });
  afterEach(() => {
    if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** A stream that has begun. */
  const openStream = (directive: string): Promise<Stream> =>
    new Promise((resolve, reject) => {
      const request = requestHttp(
        `${url}/v1/chat/completions`,
        { method: 'POST', headers: goodHeaders, agent: false },
        (response) => {
          const stream: Stream = {
            text: '',
            ended: new Promise((done) => response.once('end', () => done(true)).once('error', () => done(false))),
          };
          response.setEncoding('utf8').on('data', (chunk: string) => {
            stream.text += chunk;
            resolve(stream);
          });
        },
      );
      request.once('error', reject).end(
        JSON.stringify({
          model: 'simulator/chat',
          stream: true,
          messages: [{ role: 'user', content: `Hi [[simulator ${directive}]]` }],
        }),
      );
    });
  const exit = async (): Promise<number | null> => {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  const lines = (): readonly Readonly<Record<string, unknown>>[] =>
    log
      .slice(0, log.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} finishes open requests, accepts no new ones and exits with 0`, async () => {
      const stream = await openStream('pace=80 words=60');
      child.kill(signal);
      const connect = (): Promise<unknown> =>
        send(url, { method: 'GET', path: '/livez', headers: {} }).catch(({ code }: NodeJS.ErrnoException) => code);
      await until('new connections are refused', async () => (await connect()) === 'ECONNREFUSED');
      expect(stream.text, 'while the stream runs').to.not.include('[DONE]');
      expect(await stream.ended).to.equal(true);
      expect(stream.text).to.match(/data: \[DONE\]\n\n$/);
      expect(await exit()).to.equal(0);
      const exchanges = lines().filter(({ message }) => message === 'exchange');
      expect(exchanges).to.have.length(1);
      expect(exchanges[0]).to.include({ outcome: 'ok', status: 200, ending: 'complete' });
    });
  }

  it('a second signal cuts open requests and exits with 1', async () => {
    const stream = await openStream('hang=after:2');
    child.kill('SIGTERM');
    await until('it stops', () => lines().some(({ message }) => message === 'stopping'));
    expect(child.exitCode).to.equal(null);
    child.kill('SIGTERM');
    expect(await exit()).to.equal(1);
    expect(await stream.ended).to.equal(false);
  });

  it('SIGHUP reloads, and reports ports that the command line overrides', async () => {
    writeFileSync(
      join(folder, 'gateway.yaml'),
      stringify({ ...config, server: { ...config.server, port: 9, bodyLimit: '1kb' }, admin: { port: 10 } }),
    );
    child.kill('SIGHUP');
    await until('a word on the ports', () =>
      lines().some(({ message }) => message === 'some settings of the file have no effect: the command line sets them'),
    );
    expect(lines().find(({ message }) => message === 'the configuration was reloaded')?.['changed']).to.deep.equal([
      'server.bodyLimit',
    ]);
    expect(lines().find(({ overruled }) => overruled !== undefined)?.['overruled']).to.deep.equal([
      'server.port',
      'admin.port',
    ]);
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    writeFileSync(
      join(folder, 'gateway.yaml'),
      stringify({ ...config, server: { ...config.server, port: 9 }, admin: { port: 10 } }),
    );
    child.kill('SIGHUP');
    await until(
      'another reload',
      () => lines().filter(({ message }) => message === 'the configuration was reloaded').length === 2,
    );
    expect(lines().filter(({ overruled }) => overruled !== undefined)).to.have.length(1);
  });

  it('a signal exits at once if nothing is open, kept-alive connections included', async () => {
    const first = await fetch(`${url}/livez`);
    await first.text();
    child.kill('SIGTERM');
    expect(await exit()).to.equal(0);
  });
});
