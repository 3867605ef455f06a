import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { json, readJson } from '../support/admin.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { createAsk, generationIn, generationOf, pause, writeGeneration } from './generations.ts';

interface ConfigView {
  readonly hash: string;
  readonly loadedAt: string;
  readonly lastReload: Report | null;
  readonly needsRestart: readonly string[];
  readonly config: {
    readonly server: Readonly<Record<string, unknown>>;
    readonly models: Readonly<Record<string, unknown>>;
  };
}
interface Report {
  readonly result: string;
  readonly changed: readonly string[];
  readonly needsRestart: readonly string[];
  readonly problems: readonly { readonly line?: number; readonly rule: string; readonly message: string }[];
}

describe('a reload by signal or admin call', () => {
  let koine: KoineProcess;
  let client: ReturnType<typeof createAsk>;
  before(async () => {
    koine = await startKoine(generationOf('A'));
    client = createAsk(koine);
  });
  after(async () => {
    client?.end();
    await koine?.end();
  });
  const live = async (): Promise<string> => generationIn(await client.ask());
  const view = () => send(koine.adminUrl, { method: 'GET', path: '/admin/config', headers: {} });
  const reload = (headers: object = {}) =>
    send(koine.adminUrl, { path: '/admin/reload', headers: { ...json, ...headers }, body: '{}' });
  const figure = async (name: string): Promise<number> => {
    const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  };

  it('a reload reports the changed settings in the admin API, and updates the pages of plugins', async () => {
    writeFileSync(koine.file, writeGeneration('B'));
    const report = readJson<Report>(await reload());
    expect(report).to.deep.include({
      result: 'reloaded',
      changed: ['models["simulator/chat"].targets', 'plugins'],
      needsRestart: [],
      problems: [],
    });
    expect(await live()).to.equal('B');
    expect(
      readJson(await send(koine.adminUrl, { method: 'GET', path: '/admin/generation', headers: {} })),
    ).to.deep.equal({
      name: 'B',
    });
    expect(readJson<Report>(await reload())).to.deep.include({ result: 'unchanged', changed: [] });
  });

  it('shows the active configuration with its ETag and without secrets', async () => {
    const reply = await view();
    const { hash, loadedAt, config } = readJson<ConfigView>(reply);
    expect(reply.headers['etag']).to.equal(`"${hash}"`);
    expect(Date.now() - Date.parse(loadedAt)).to.be.within(0, 60_000);
    expect(config.server).to.include({ watch: false });
    expect(config.models).to.have.all.keys('simulator/chat');
    expect(reply.text).to.not.include(KEY);
  });

  it('applies a configuration only if the ETag of the caller is that of the active one', async () => {
    writeFileSync(koine.file, writeGeneration('A'));
    const { hash } = readJson<ConfigView>(await view());
    const refused = await reload({ 'if-match': '"0123456789abcdef"' });
    expect([refused.status, (JSON.parse(refused.text) as { error: { code: string } }).error.code]).to.deep.equal([
      412,
      'precondition_failed',
    ]);
    expect(await live()).to.equal('B');
    expect((await reload({ 'if-match': `"${hash}"` })).status).to.equal(200);
    expect(await live()).to.equal('A');
  });

  it('a reload reports problems with their position, and counts the failure', async () => {
    expect(await figure('koine_config_last_reload_successful')).to.equal(1);
    writeFileSync(koine.file, writeGeneration('B').replace('name: B', 'nome: B'));
    const reply = await reload();
    expect(reply.status).to.equal(422);
    const { result, problems } = JSON.parse(reply.text) as Report;
    expect([result, problems.map(({ rule }) => rule).toSorted()]).to.deep.equal([
      'failed',
      ['missing-key', 'unknown-key'],
    ]);
    expect(problems[0]?.line).to.be.above(10);
    expect(await live()).to.equal('A');
    expect(await figure('koine_config_last_reload_successful')).to.equal(0);
    expect(readJson<ConfigView>(await view()).lastReload).to.deep.include({ result: 'failed' });
    await until('a line in the log', () =>
      koine
        .lines()
        .some(
          ({ message, trigger }) =>
            message === 'the configuration was not reloaded: the previous one stays active' && trigger === 'admin',
        ),
    );
  });

  it('a reload with warnings logs them in a line of level warn, and no error', async () => {
    const seen = koine.lines().length;
    const providers = { simulator: { use: 'simulator' }, idle: { use: 'simulator' } };
    writeFileSync(koine.file, writeGeneration('A', { providers }));
    expect((JSON.parse((await reload()).text) as Report).result).to.equal('reloaded');
    const logged = () =>
      koine
        .lines()
        .slice(seen)
        .filter(({ message }) => String(message).startsWith('the configuration'));
    await until('both lines', () => logged().length >= 2);
    const lines = logged();
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ['info', 'the configuration was reloaded'],
      ['warn', 'the configuration has warnings'],
    ]);
    expect(String(lines[1]?.['warnings'])).to.match(/gateway\.yaml:\d+:\d+ warning unused-provider /);
  });

  it('a reload reports the plugin that did not start, and closes it', async () => {
    writeFileSync(koine.file, writeGeneration('B', {}, { broken: true }));
    const { problems } = JSON.parse((await reload()).text) as Report;
    expect(problems[0]).to.deep.include({ rule: 'KOINE_EXTENSION_START_FAILED' });
    expect(problems[0]?.message).to.include('the generation B is broken');
    await until(
      'its primary instance is closed',
      () => koine.lines().findLast(({ message }) => message === 'primary instance closed')?.['name'] === 'B',
    );
    expect(await live()).to.equal('A');
    writeFileSync(koine.file, writeGeneration('A'));
    expect((await reload()).status).to.equal(200);
    expect(await figure('koine_config_last_reload_successful')).to.equal(1);
  });

  it('a reload applies what it can, and lists the settings that require a restart', async () => {
    writeFileSync(
      koine.file,
      writeGeneration('B', { server: { port: 9, bodyLimit: '1kb' }, store: { database: 'sqlite:./other.db' } }),
    );
    expect(readJson<Report>(await reload())).to.deep.include({
      result: 'reloaded',
      needsRestart: ['server.port', 'store.database'],
      changed: ['server.bodyLimit', 'models["simulator/chat"].targets', 'plugins'],
    });
    expect(await live()).to.equal('B');
    expect((await client.ask({ user: 'x'.repeat(2_000) })).status).to.equal(413);
    const { needsRestart, config } = readJson<ConfigView>(await view());
    expect([needsRestart, config.server['port']]).to.deep.equal([['server.port', 'store.database'], 0]);
    await until('a line in the log', () =>
      koine.lines().some(({ message }) => message === 'some settings apply after the next start'),
    );
  });

  it('reloads once for a hundred SIGHUPs within a second', async () => {
    const reloads = () => koine.lines().filter(({ message }) => message === 'the configuration was reloaded').length;
    const before = reloads();
    writeFileSync(koine.file, writeGeneration('C'));
    for (let count = 0; count < 100; count += 1) {
      koine.signal('SIGHUP');
      await pause(8);
    }
    await until('a reload', () => reloads() > before);
    await pause(300);
    expect(reloads()).to.equal(before + 1);
    expect(await live()).to.equal('C');
    expect(koine.lines().findLast(({ message }) => message === 'the configuration was reloaded')).to.include({
      trigger: 'signal',
    });
  });
});
