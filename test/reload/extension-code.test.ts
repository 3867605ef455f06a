import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { findContent, hashContent } from '../../core/extensions/integrity.ts';
import { configOf, openStream, startKoine, type KoineProcess, type LogLine } from '../processes/koine-process.ts';
import { json, readJson } from '../support/admin.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { createAsk, pause, type Answer } from './generations.ts';

/** Sends its word as a header, and logs its word and one that it imports only then when an exchange ends. */
const entry = `import { definePlugin } from 'koine-gateway';
import { word } from './lib/word.ts';

export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'team',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: (_options, { log }) => ({
    admit: () => ({
      headers: { 'x-word': word },
      settle: () => void import('./late.ts').then(({ late }) => log.info({ word, late }, 'settled')),
    }),
  }),
});
`;

interface Report {
  readonly result: string;
  readonly changed: readonly string[];
  readonly needsRestart: readonly string[];
}

describe('a gateway whose extension is edited', () => {
  let folder = '';
  let koine: KoineProcess;
  let client: ReturnType<typeof createAsk>;
  const at = (path: string): string => join(folder, path);
  const setWord = (word: string): void => {
    writeFileSync(at('lib/word.ts'), `export const word: string = '${word}';\n`);
    writeFileSync(at('late.ts'), `export const late: string = '${word}';\n`);
  };
  const settingsOf = (server: object, more: object = {}) => ({
    server: { workers: 1, ...server },
    plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: at('team.ts'), ...more }],
    organizations: {
      acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 50_000, per: '1h' }] } } } } },
    },
  });
  const start = async (server: object, more: object = {}): Promise<void> => {
    koine = await startKoine(settingsOf(server, more));
    client = createAsk(koine);
  };
  const wordOf = ({ status, headers }: Answer): string => `${status} ${String(headers['x-word'])}`;
  const live = async (): Promise<string> => wordOf(await client.ask());
  const reload = () => send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
  const linesOf = (message: string): readonly LogLine[] =>
    koine.lines().filter((line) => String(line['message']).startsWith(message));
  const refusals = (): string => JSON.stringify(linesOf('the configuration was not reloaded'));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-extension-'));
    writeFileSync(at('package.json'), '{ "type": "module" }');
    writeFileSync(at('team.ts'), entry);
    mkdirSync(at('lib'));
    setWord('one');
  });
  afterEach(async () => {
    client?.end();
    await koine?.end();
    rmSync(folder, { recursive: true });
  });

  it('serves new code without a failed request, and lets a stream finish with the old code', async () => {
    await start({ watch: true });
    const stream = await openStream(koine.url, 'words=30 pace=200');
    expect(stream.headers['x-word']).to.equal('one');
    const answers = new Set<string>();
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) answers.add(await live());
    })();
    setWord('two');
    await until('the new code', () => answers.has('200 two'));
    setWord('three');
    await until('the newest code', () => answers.has('200 three'));
    over.abort();
    await asking;
    expect([...answers]).to.deep.equal(['200 one', '200 two', '200 three']);
    const settled = () => linesOf('settled').map(({ word, late }) => `${String(word)} ${String(late)}`);
    expect(await stream.ended).to.contain('[DONE]');
    await until('the stream is settled', () => settled().at(-1) === 'one one');
    expect(new Set(settled())).to.deep.equal(new Set(['one one', 'two two', 'three three']));
    expect(linesOf('the configuration was reloaded')[0]).to.deep.include({ changed: ['plugins[2].use'] });
    expect(linesOf('the old code of a reloaded extension').at(-1)).to.include({ versions: 3 });
  }).timeout(120_000);

  it('keeps the old code while the new code is broken, and logs the file and the line', async () => {
    await start({ watch: true });
    writeFileSync(at('lib/word.ts'), "export const word = 'two';\n\nthrow new Error('No words.');\n");
    await until('a refusal', () => refusals().includes(`No words. (${at('lib/word.ts')}:3)`));
    expect(await live()).to.equal('200 one');
    writeFileSync(
      at('team.ts'),
      entry.replace("import { word } from './lib/word.ts'", "import { word } from './new.ts'"),
    );
    await until('another refusal', () => refusals().includes(`There is no file ${at('new.ts')}`));
    await pause(1_000);
    expect(linesOf('the configuration was not reloaded')).to.have.length(2);
    writeFileSync(at('new.ts'), "export const word = 'new';\n");
    await until('the new code', async () => (await live()) === '200 new');
  }).timeout(120_000);

  it('an extension that was saved without a change causes no reload', async () => {
    await start({ watch: true });
    writeFileSync(at('team.ts'), entry);
    await pause(1_000);
    expect(linesOf('the configuration')).to.deep.equal([]);
    setWord('two');
    await until('the new code', async () => (await live()) === '200 two');
    await until('its log line', () => linesOf('the configuration').length > 0);
    expect(linesOf('the configuration').map(({ message }) => message)).to.deep.equal([
      'the configuration was reloaded',
    ]);
  }).timeout(120_000);

  it('loads new code by signal and by admin call, and keeps what the limits have counted', async () => {
    await start({ watch: false });
    const remaining = async (): Promise<number> =>
      Number((await client.ask()).headers['x-ratelimit-remaining-requests']);
    const before = await remaining();
    setWord('two');
    expect(await live()).to.equal('200 one');
    expect(readJson<Report>(await reload())).to.deep.include({ result: 'reloaded', changed: ['plugins[2].use'] });
    expect(await live()).to.equal('200 two');
    expect(readJson<Report>(await reload())).to.deep.include({ result: 'unchanged', changed: [] });
    setWord('three');
    koine.signal('SIGHUP');
    await until('the newest code', async () => (await live()) === '200 three');
    expect(await remaining()).to.be.below(before - 2);
  }).timeout(120_000);

  it('refuses new code while the old hash is pinned, and loads it once its hash is', async () => {
    const hash = (): string => hashContent(findContent(at('team.ts'), at('team.ts'), at('team.ts')));
    await start({ watch: true }, { integrity: hash() });
    setWord('two');
    await until('a refusal', () => refusals().includes('KOINE_EXTENSION_INTEGRITY'));
    expect(await live()).to.equal('200 one');
    writeFileSync(koine.file, stringify(configOf(settingsOf({ watch: true }, { integrity: hash() }))));
    await until('the new code', async () => (await live()) === '200 two');
  }).timeout(120_000);

  it('loads new code when the links of a Kubernetes volume are swapped', async () => {
    const put = (volume: string, word: string): void => {
      mkdirSync(at(volume));
      writeFileSync(at(join(volume, 'team.ts')), entry.replace('./lib/word.ts', './word.ts'));
      writeFileSync(at(join(volume, 'word.ts')), `export const word = '${word}';\n`);
      writeFileSync(at(join(volume, 'late.ts')), `export const late = '${word}';\n`);
      symlinkSync(volume, at('..data_tmp'));
      renameSync(at('..data_tmp'), at('..data'));
    };
    put('..1', 'one');
    rmSync(at('team.ts'));
    symlinkSync('..data/team.ts', at('team.ts'));
    await start({ watch: true });
    expect(await live()).to.equal('200 one');
    put('..2', 'two');
    rmSync(at('..1'), { recursive: true });
    await until('the new code', async () => (await live()) === '200 two');
  }).timeout(120_000);

  it('a reload reports that the new code of an installed package needs a restart', async () => {
    await start({ watch: false });
    const installed = join(dirname(koine.file), 'node_modules/koine-guard');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{ "name": "koine-guard", "type": "module", "main": "index.js" }');
    writeFileSync(
      join(installed, 'index.js'),
      entry.replace("'./lib/word.ts'", "'./word.js'").replace('./late.ts', './late.js').replace('team', 'guard'),
    );
    writeFileSync(join(installed, 'late.js'), "export const late = 'package one';\n");
    writeFileSync(join(installed, 'word.js'), "export const word = 'package one';\n");
    const settings = settingsOf({ watch: false });
    const plugins = [...settings.plugins.slice(0, 2), { use: 'koine-guard' }];
    writeFileSync(koine.file, stringify(configOf({ ...settings, plugins })));
    expect(readJson<Report>(await reload())).to.deep.include({ result: 'reloaded', needsRestart: [] });
    writeFileSync(join(installed, 'word.js'), "export const word = 'package two';\n");
    expect(readJson<Report>(await reload())).to.deep.include({ result: 'unchanged', needsRestart: ['plugins[2].use'] });
    await until('the warning', () => linesOf('some settings apply after the next start').length > 0);
    expect(linesOf('some settings')[0]).to.deep.include({ needsRestart: ['plugins[2].use'] });
    expect(await live()).to.equal('200 package one');
  }).timeout(120_000);

  it('all workers switch to new code, and a new worker gets the active code while the files are broken', async () => {
    await start({ workers: 2, watch: false });
    /** The words of many requests, each on its own connection. */
    const words = async (): Promise<readonly string[]> => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const { ask, end } = createAsk(koine);
          return ask().then(wordOf).finally(end);
        }),
      );
      return [...new Set(answers)];
    };
    expect(await words()).to.deep.equal(['200 one']);
    setWord('two');
    expect(readJson<Report>(await reload()).result).to.equal('reloaded');
    expect(await words()).to.deep.equal(['200 two']);
    writeFileSync(at('lib/word.ts'), 'export const word = = 3;\n');
    expect((await reload()).status).to.equal(422);
    rmSync(at('late.ts'));
    for (const worker of koine.workers()) koine.kill(worker);
    await until('two new workers', () => koine.workers().length === 4);
    expect(await words()).to.deep.equal(['200 two']);
    expect(readFileSync(at('lib/word.ts'), 'utf8')).to.contain('= = 3');
  }).timeout(120_000);
});
