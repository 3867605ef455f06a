import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../core/services/database/database.ts';
import type { Migration } from '../../core/services/database/migrations.ts';
import { gatewayTables } from '../../core/services/database/schema.ts';
import { ledgerTables } from '../../plugins/ledger/tables.ts';
import { startKoine, type KoineProcess } from '../processes/koine-process.ts';
import { describeOnBoth } from '../support/servers/databases.ts';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { root } from './pages.ts';

const plugins = ['auth', 'rate-limit', 'ledger'].map((use) => ({ use }));

const chat = async ({ url }: KoineProcess): Promise<number> =>
  (await send(url, callOf('chat', 'simulator/chat'))).status;

const run = (...words: readonly string[]): readonly [number | null, string] => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/koine.js'), ...words], { encoding: 'utf8' });
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
    expect(run('keys', 'list', '--config', koine.file)).to.deep.equal([1, refused]);
    const names = await ask(url, "SELECT name FROM koine_migrations WHERE name LIKE '%-more' ORDER BY name");
    expect(names).to.deep.equal(['005-more', 'ledger/009-more']);
    expect(readFileSync(join(root, 'docs/operate/upgrade.md'), 'utf8')).to.include(`\n${refused}\n`);
  });
});

const addMigration = (owner: typeof gatewayTables, name: string): typeof gatewayTables => ({
  ...owner,
  migrations: [...owner.migrations, { name, sql: () => ['CREATE TABLE more (a TEXT)'] }],
});

describe('an old gateway with workers whose database was migrated', () => {
  it('an old gateway with workers exits after one of them has crashed, because no other can start', async function () {
    this.timeout(120_000);
    const koine = await startKoine({ server: { workers: 2 }, store: { database: 'sqlite:./koine.db' }, plugins });
    const database = `sqlite:${koine.file.replace('gateway.yaml', 'koine.db')}`;
    await (await openDatabase(database, addMigration(gatewayTables, '005-more'))).destroy();
    process.kill(koine.workers()[0]!, 'SIGKILL');
    expect(await koine.exit).to.equal(1);
    expect(koine.stderr()).to.include('KOINE_WORKER_FAILED');
    await koine.end();
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
  const findOthers = (migrations: readonly Migration[]): readonly string[] =>
    migrations.flatMap(({ sql }) => sql(dialect)).filter((statement) => !additive.test(statement.trim()));

  it('migrations only add tables, indexes and columns that may be empty, so that a running old gateway can write', () => {
    expect(findOthers([...gatewayTables.migrations, ...ledgerTables(0).migrations])).to.deep.equal([]);
    const others = ['DROP TABLE keys', 'ALTER TABLE keys ADD COLUMN a TEXT NOT NULL', 'ALTER TABLE keys DROP COLUMN a'];
    expect(findOthers([{ name: 'others', sql: () => others }])).to.deep.equal(others);
  });
});
