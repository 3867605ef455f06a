import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runHere } from './run-here.ts';
import { runKoine } from './run-koine.ts';

describe('koine', () => {
  it('koine lists its commands', async () => {
    for (const word of ['--help', '-h', 'help']) {
      const { code, out } = await runHere([word]);
      expect(code).to.equal(0);
      for (const command of ['serve', 'check', 'schema']) expect(out).to.match(new RegExp(`^  ${command} `, 'm'));
    }
  });

  it('koine lists the options of a command', async () => {
    const { code, out } = await runHere(['serve', '--help']);
    expect(code).to.equal(0);
    expect(out).to.match(/^Usage: koine serve \[options\]\n/);
    expect(out).to.match(/^ {2}--port PORT +in place of server\.port/m);
  });

  it('koine prints its version', async () => {
    for (const word of ['version', '--version', '-v']) {
      const { code, out } = await runHere([word]);
      expect(code).to.equal(0);
      expect(out).to.match(/^koine \d+\.\d+\.\d+ \(commit \S+, node 2\d\.\d+\.\d+\)\n?$/);
    }
  });

  it('exits with 2 on an unknown command, and suggests one', async () => {
    const { code, err } = await runKoine(['chek']);
    expect(code).to.equal(2);
    expect(err).to.match(/^There is no command "chek"\. Did you mean "check"\?/);
  });

  it('koine exits with 2 without a command', async () => {
    expect((await runHere([])).code).to.equal(2);
  });

  it('koine exits with 2 on an invalid port', async () => {
    const { code, err } = await runHere(['serve', '--port', '80a']);
    expect(code).to.equal(2);
    expect(err).to.match(/^--port must be a port/);
  });
});

describe('commands of a plugin of the configuration', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
    writeFileSync(
      join(folder, 'counts.mjs'),
      `import { definePlugin } from 'koine-gateway';
      const report = { summary: 'Prints the counts of a day', usage: '[DAY]', run: ([day], { print, options }) => {
        print(day + ': ' + options.word);
        return 1;
      } };
      export default definePlugin({
        kind: 'plugin', apiVersion: 1, name: 'counts', schema: { type: 'object' }, commands: { report }, create: () => ({}),
      });`,
    );
    writeFileSync(join(folder, 'own.yaml'), 'plugins: [{ use: ./counts.mjs, config: { word: four } }]');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('koine runs the command of a third-party plugin with its settings', async () => {
    const { code, out } = await runHere(['counts', 'report', 'monday', '--config', 'own.yaml'], { cwd: folder });
    expect([code, out]).to.deep.equal([1, 'monday: four\n']);
  });

  it('koine lists the commands of a third-party plugin with --help', async () => {
    const { code, out } = await runHere(['counts', '--config', 'own.yaml', '--help'], { cwd: folder });
    expect(code).to.equal(0);
    expect(out).to.include('koine counts report [DAY]');
  });

  it('koine exits with 2 if no configuration has the command', async () => {
    const { code, err } = await runHere(['counts', 'report'], { cwd: folder });
    expect(code).to.equal(2);
    expect(err).to.match(/^There is no command "counts"/);
  });
});

describe('koine reconcile', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const writeConfig = (plugins: readonly object[]): void =>
    writeFileSync(
      join(folder, 'gateway.yaml'),
      JSON.stringify({
        store: { database: 'sqlite:./koine.db' },
        providers: { simulator: { use: 'simulator' } },
        models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
        plugins,
      }),
    );

  it('koine reconcile compares a bill with the ledger', async () => {
    writeConfig([{ use: 'ledger' }]);
    writeFileSync(join(folder, 'bill.csv'), 'day,model,cost\n2026-11-20,chat,0.5\n');
    const { code, out } = await runHere(['reconcile', '--bill', 'bill.csv'], { cwd: folder });
    expect(out).to.match(/^2026-11-20 {2}chat {3}cost {4}\$0\.5 {6}\$0 +-100\.00 %$/m);
    expect(code).to.equal(1);
  });

  it('koine reconcile has one name', async () => {
    const { code, err } = await runHere(['ledger', 'reconcile'], { cwd: folder });
    expect([code, err]).to.deep.equal([2, 'There is no command "ledger".\nSee "koine --help".\n']);
  });

  it('koine reconcile without the plugin says that it needs it', async () => {
    writeConfig([]);
    const { code, err } = await runHere(['reconcile', '--bill', 'bill.csv'], { cwd: folder });
    expect([code, err.split('\n')[0]]).to.deep.equal([
      2,
      'koine reconcile needs the plugin "ledger", which gateway.yaml does not have.',
    ]);
  });
});

describe('koine schema', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('prints the schema of the built-ins if there is no configuration', async () => {
    const { code, out } = await runKoine(['schema'], { cwd: folder });
    expect(code).to.equal(0);
    expect(JSON.parse(out).definitions).to.include.keys('provider-simulator', 'plugin-auth');
    expect(existsSync(join(folder, 'gateway.schema.json'))).to.equal(false);
  });

  it("writes the schema beside the configuration, including the operator's own extensions", async () => {
    writeFileSync(
      join(folder, 'own.ts'),
      "export default { kind: 'plugin', apiVersion: 1, name: 'own', schema: { type: 'object' }, create: () => ({}) };",
    );
    writeFileSync(join(folder, 'gateway.yaml'), 'plugins: [{ use: ./own.ts }]\n');
    const { code } = await runHere(['schema', '--config', join(folder, 'gateway.yaml'), '--write']);
    expect(code).to.equal(0);
    expect(JSON.parse(readFileSync(join(folder, 'gateway.schema.json'), 'utf8')).definitions).to.include.keys(
      'plugin-own',
      'plugin-auth',
    );
  });

  it('exits with 1 if an extension cannot be imported', async () => {
    writeFileSync(join(folder, 'gateway.yaml'), 'plugins: [{ use: ./own.ts }]\n');
    const { code, out, err } = await runHere(['schema'], { cwd: folder });
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.match(/^gateway\.yaml:1:18 error KOINE_EXTENSION_NOT_FOUND /);
  });

  it('exits with 2 if the given configuration does not exist', async () => {
    expect((await runHere(['schema', '--config', 'none.yaml'], { cwd: folder })).code).to.equal(2);
  });
});
