import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../core/services/database/database.ts';
import type { Migration } from '../../core/services/database/migrations.ts';
import { gatewayTables } from '../../core/services/database/schema.ts';
import { ledgerTables } from '../../plugins/ledger/migrations.ts';
import { runHere } from '../core/cli/run-here.ts';
import { startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { describeOnBoth } from '../support/servers/databases.ts';
import { json } from '../support/admin.ts';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { root } from './pages.ts';
import { bin } from '../support/servers/koine-program.ts';

const plugins = ['auth', 'rate-limit', 'ledger'].map((use) => ({ use }));

const chat = async ({ url }: KoineProcess): Promise<number> =>
  (await send(url, callOf('chat', 'simulator/chat'))).status;

const run = (...words: readonly string[]): readonly [number | null, string] => {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...words], { encoding: 'utf8' });
  return [status, stderr.trim()];
};

/** Changes the file, and waits for the result of the reload. */
const changeConfig = async ({ file, lines }: KoineProcess, change: (text: string) => string): Promise<string> => {
  const before = lines().length;
  const find = () => lines().findLast(({ trigger }, index) => trigger === 'file' && index >= before);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  await until('the file is read again', () => find() !== undefined);
  return JSON.stringify(find());
};

/** docs/operate/upgrade.md lists what is checked here. */
describeOnBoth('an old gateway whose database was migrated by a new one', ({ fresh, ask }) => {
  let url: string;
  let koine: KoineProcess;
  const migrate = () => ask(url, "INSERT INTO koine_migrations VALUES ('005-more', 1), ('ledger/009-more', 1)");
  const refused =
    'KOINE_STORE_FAILED: The database was written by a newer version of the gateway (migrations unknown here: ' +
    '005-more). Start that version, or name another database in store.database.';

  before(async () => {
    url = await fresh();
    koine = await startKoine({ server: { workers: 1 }, store: { database: url }, plugins });
    await migrate();
  });
  after(() => koine.end());

  it('an old gateway on a migrated database serves, writes its ledger, and creates keys', async () => {
    expect(await chat(koine)).to.equal(200);
    const settled = async () => Number((await ask(url, "SELECT count(*) FROM ledger WHERE state = 'settled'"))[0]);
    await until('the row is written', async () => (await settled()) === 1, 100);
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', path: '/admin/keys', headers, body: '{"name":"carol"}' };
    expect((await send(koine.adminUrl, request)).status).to.equal(201);
  });

  it('an old gateway on a migrated database reloads its configuration, except for settings of the ledger', async () => {
    const reloaded = await changeConfig(koine, (text) => `${text}aliases: { fast: simulator/chat }\n`);
    expect(reloaded).to.include('the configuration was reloaded');
    const failed = await changeConfig(koine, (text) =>
      text.replace('use: ledger', '$&\n    config: { retention: 9d }'),
    );
    expect(failed).to.include('migrations unknown here: ledger/009-more').and.to.include('previous one stays active');
    expect(await chat(koine)).to.equal(200);
  });

  it('an old gateway and its commands are refused on a migrated database, which stays unchanged', async () => {
    expect(run('serve', '--config', koine.file, '--port', '0', '--admin-port', '0')).to.deep.equal([1, refused]);
    const { code, err } = await runHere(['keys', 'list', '--config', koine.file]);
    expect([code, err.trim()]).to.deep.equal([1, refused]);
    const names = await ask(url, "SELECT name FROM koine_migrations WHERE name LIKE '%-more' ORDER BY name");
    expect(names).to.deep.equal(['005-more', 'ledger/009-more']);
    expect(readFileSync(join(root, 'docs/operate/upgrade.md'), 'utf8')).to.include(`\n${refused}\n`);
  });
});

const addMigration = (owner: typeof gatewayTables, name: string): typeof gatewayTables => ({
  ...owner,
  migrations: [...owner.migrations, { name, sql: () => ['CREATE TABLE more (a TEXT)'] }],
});

interface WorkerStates {
  readonly workers: readonly {
    readonly state: string;
    readonly failedStarts: number;
    readonly lastExit?: { readonly error?: string };
  }[];
}

const isReplaced = ({ state }: WorkerStates['workers'][number]): boolean => state !== 'serving';

describe('an old gateway with workers whose database was migrated', function () {
  this.timeout(180_000);
  const notStarted = 'a worker exited before it served and is replaced';
  let koine: KoineProcess;
  let database: string;
  const read = async (path: string): Promise<string> =>
    (await send(koine.adminUrl, { method: 'GET', path, headers: {} })).text;
  const states = async () => (JSON.parse(await read('/admin/workers')) as WorkerStates).workers;
  const attempts = () => koine.lines().filter(({ message }) => message === notStarted);
  const migrate = async () => (await openDatabase(database, addMigration(gatewayTables, '005-more'))).destroy();

  before(async () => {
    koine = await startKoine({
      server: { workers: 2, watch: false },
      store: { database: 'sqlite:./koine.db' },
      plugins: [...plugins, { use: 'metrics' }],
    });
    database = `sqlite:${koine.file.replace('gateway.yaml', 'koine.db')}`;
    await migrate();
  });
  after(() => koine?.end());

  it('an old gateway whose crashed worker cannot be replaced serves with the other, and tries again', async () => {
    koine.kill(koine.workers()[0]!);
    await until('more attempts than a crash loop has', () => attempts().length > 6);
    expect(await chat(koine)).to.equal(200);
    expect((await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(200);
    for (const [index, line] of attempts().entries()) {
      expect(line).to.include({ level: 'error', failedStarts: index + 1 });
      expect(JSON.stringify(line)).to.include('migrations unknown here: 005-more');
    }
    const all = await states();
    const [replaced, other] = [all.find(isReplaced), all.find((worker) => !isReplaced(worker))];
    expect(replaced?.lastExit?.error).to.match(/^KOINE_STORE_FAILED: .*migrations unknown here: 005-more/);
    expect(replaced?.failedStarts).to.be.greaterThan(6);
    expect(['waiting', 'starting']).to.include(replaced?.state);
    expect(other).to.include({ state: 'serving', failedStarts: 0 }).and.not.have.property('lastExit');
    const metrics = await read('/metrics');
    expect(metrics).to.match(/^koine_workers 1$/m);
    expect(Number(/^koine_worker_restarts_total\{reason="start"\} (\d+)$/m.exec(metrics)?.[1])).to.be.greaterThan(6);
  });

  it('a reload succeeds while a worker that cannot serve is starting', async () => {
    writeFileSync(koine.file, `${readFileSync(koine.file, 'utf8')}aliases: { fast: simulator/chat }\n`);
    const before = attempts().length;
    await until(
      'an attempt has begun',
      async () => attempts().length > before && (await states()).find(isReplaced)?.state === 'starting',
    );
    const { text } = await send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
    expect(JSON.parse(text)).to.include({ result: 'reloaded' });
  });

  it('a worker that could not be replaced is replaced once the cause is gone', async () => {
    const file = new DatabaseSync(database.slice('sqlite:'.length), { timeout: 20_000 });
    file.exec("DELETE FROM koine_migrations WHERE name = '005-more'; DROP TABLE more");
    file.close();
    await until('both serve', () => koine.workers().length === 3);
    expect((await states()).map(({ state, failedStarts }) => [state, failedStarts])).to.deep.equal([
      ['serving', 0],
      ['serving', 0],
    ]);
    expect(await chat(koine)).to.equal(200);
  });

  it('an old gateway exits when none of its workers is left and none can start', async () => {
    await migrate();
    for (const worker of koine.workers().slice(1)) koine.kill(worker);
    expect(await koine.exit).to.equal(1);
    expect(koine.stderr()).to.match(/^KOINE_WORKER_FAILED: .*migrations unknown here: 005-more/m);
  });
});

describe('migrations', () => {
  const dialect = {
    name: 'sqlite',
    integer: 'INTEGER',
    real: 'REAL',
    text: 'TEXT',
    bytes: 'BLOB',
    strict: '',
  } as const;
  const additive = /^(?:CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD COLUMN \w+ \w+(?: NOT NULL DEFAULT \S+)?$)/;
  const writes = /\b(?:INSERT INTO|REPLACE INTO|UPDATE(?! (?:ON|OF))|DELETE FROM) (\w+)/g;
  /**
   * Only writes a table that an old gateway does not know, also by a trigger, or a column that it leaves empty: empty
   * values are never equal.
   */
  const isOwn = (statement: string, before: readonly string[]): boolean => {
    const [, table, column] = /^CREATE UNIQUE INDEX \w+ ON (\w+) \((\w+)\)$/.exec(statement) ?? [];
    if (column !== undefined)
      return before.some((earlier) => new RegExp(`^ALTER TABLE ${table} ADD COLUMN ${column} \\w+$`).test(earlier));
    if (!/^(?:INSERT INTO|CREATE TRIGGER) /.test(statement)) return false;
    const written = [...statement.matchAll(writes)].map(([, name]) => `CREATE TABLE ${name} `);
    return written.length > 0 && written.every((start) => before.some((earlier) => earlier.startsWith(start)));
  };
  const findOthers = (migrations: readonly Migration[]): readonly string[] =>
    migrations.flatMap(({ sql }) => {
      const statements = sql(dialect).map((statement) => statement.trim());
      return statements.filter((each, index) => !additive.test(each) && !isOwn(each, statements.slice(0, index)));
    });

  it('migrations only add tables, indexes and columns that may be empty, so that a running old gateway can write', () => {
    expect(findOthers([...gatewayTables.migrations, ...ledgerTables(0).migrations])).to.deep.equal([]);
    const others = [
      'DROP TABLE keys',
      'ALTER TABLE keys ADD COLUMN a TEXT NOT NULL',
      'ALTER TABLE keys DROP COLUMN a',
      'CREATE UNIQUE INDEX keys_a ON keys (a)',
      'INSERT INTO keys (id) SELECT 1',
      'CREATE TRIGGER a AFTER UPDATE ON keys BEGIN DELETE FROM audit; END',
    ];
    expect(findOthers([{ name: 'others', sql: () => others }])).to.deep.equal(others);
  });
});
