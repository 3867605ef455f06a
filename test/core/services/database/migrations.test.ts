import { expect } from 'chai';
import { openDatabase, type Database } from '../../../../core/services/database/database.ts';
import type { Migration } from '../../../../core/services/database/migrations.ts';
import { gatewayTables } from '../../../../core/services/database/schema.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { raceProcesses } from '../../../support/race-processes.ts';

const step = (name: string, ...statements: readonly string[]): Migration => ({ name, sql: () => statements });
const first = step('001-notes', 'CREATE TABLE notes (text TEXT)', "INSERT INTO notes VALUES ('one')");
const second = step('002-more', "INSERT INTO notes VALUES ('two')");
const broken = step('002-broken', "INSERT INTO notes VALUES ('half')", 'INSERT INTO nowhere VALUES (1)');

const tablesOf = {
  sqlite: 'SELECT name FROM sqlite_master',
  postgres: 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
};

describeOnBoth('migrations of the database', ({ kind, fresh, ask }) => {
  const open = (url: string, ...migrations: readonly Migration[]): Promise<Database> =>
    openDatabase(url, { name: '', migrations });
  const migrate = async (url: string, ...migrations: readonly Migration[]): Promise<void> =>
    (await open(url, ...migrations)).destroy();
  const failureOf = async (opening: Promise<unknown>): Promise<string> => {
    const error: unknown = await opening.catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
    return error instanceof Error ? error.message : '';
  };
  const notes = 'SELECT text FROM notes';
  const steps = 'SELECT name FROM koine_migrations ORDER BY name';

  it('each migration runs once, and the next start runs only new ones', async () => {
    const url = await fresh();
    await migrate(url, first);
    await migrate(url, first);
    expect(await ask(url, notes)).to.deep.equal(['one']);
    await migrate(url, first, second);
    await migrate(url, first, second);
    expect(await ask(url, notes)).to.deep.equal(['one', 'two']);
    expect(await ask(url, steps)).to.deep.equal(['001-notes', '002-more']);
  });

  it('records the time of each migration', async () => {
    const url = await fresh();
    await migrate(url, first);
    const [at] = await ask(url, 'SELECT applied_at FROM koine_migrations');
    expect(Number(at)).to.be.closeTo(Date.now(), 60_000);
  });

  it('refuses a database of a newer version by name, and leaves it unchanged', async () => {
    const url = await fresh();
    await migrate(url, first, second);
    expect(await failureOf(open(url, first))).to.equal(
      'The database was written by a newer version of the gateway (migrations unknown here: 002-more). Start that version, or name another database in store.database.',
    );
    expect(await ask(url, notes)).to.deep.equal(['one', 'two']);
  });

  it('migrations of different owners are independent', async () => {
    const url = await fresh();
    const openNotes = (...migrations: readonly Migration[]) => openDatabase<object>(url, { name: 'notes', migrations });
    await migrate(url, step('001-keys', 'CREATE TABLE other (a TEXT)'));
    await (await openNotes(first, second)).destroy();
    expect(await ask(url, steps)).to.deep.equal(['001-keys', 'notes/001-notes', 'notes/002-more']);
    await migrate(url, step('001-keys'));
    expect(await failureOf(openNotes(first))).to.include(
      'The tables of notes were written by a newer version of the gateway (migrations unknown here: notes/002-more)',
    );
    expect(await failureOf(open(url))).to.include('(migrations unknown here: 001-keys)');
  });

  it('rolls all migrations back when one fails', async () => {
    const url = await fresh();
    expect(await failureOf(open(url, first, broken))).to.match(
      /no such table: nowhere|relation "nowhere" does not exist/,
    );
    expect(await ask(url, tablesOf[kind])).to.deep.equal([]);
    await migrate(url, first);
    expect(await ask(url, notes)).to.deep.equal(['one']);
  });

  it('upgrades the tables of the first release once, with processes that start at the same time', async function race() {
    const url = await fresh();
    await ask(url, ...earlier[kind]);
    const results = await raceProcesses(new URL('open-racing.ts', import.meta.url), url, 3);
    expect(results).to.deep.equal(Array.from({ length: 3 }, () => 'opened with 1 keys'));
    expect(await ask(url, steps)).to.deep.equal(gatewayTables.migrations.map(({ name }) => name));
    expect(await ask(url, 'SELECT name, losses FROM keys')).to.deep.equal(['bob', 'null']);
  });

  it('the migrations of the gateway have unique names in order', () => {
    const names = gatewayTables.migrations.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });
});

/** A database of the first release, which supported SQLite only. */
const earlier = {
  sqlite: [
    'CREATE TABLE koine_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
    `CREATE TABLE keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32), prefix TEXT NOT NULL, organization TEXT NOT NULL,
      project TEXT NOT NULL, models TEXT NOT NULL, disabled INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, expires_at INTEGER) STRICT`,
    "INSERT INTO koine_migrations VALUES ('001-keys', 1)",
    "INSERT INTO keys VALUES ('id', 'bob', zeroblob(32), 'koine_id', 'acme', 'web', '[]', 0, 1, NULL)",
  ],
  postgres: [
    'CREATE TABLE koine_migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)',
    `CREATE TABLE keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32), prefix TEXT NOT NULL, organization TEXT NOT NULL,
      project TEXT NOT NULL, models TEXT NOT NULL, disabled BIGINT NOT NULL DEFAULT 0, created_at BIGINT NOT NULL, expires_at BIGINT)`,
    "INSERT INTO koine_migrations VALUES ('001-keys', 1)",
    "INSERT INTO keys VALUES ('id', 'bob', decode(repeat('00', 32), 'hex'), 'koine_id', 'acme', 'web', '[]', 0, 1, NULL)",
  ],
};
