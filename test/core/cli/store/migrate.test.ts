import { expect } from 'chai';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../../../core/services/database/database.ts';
import { statusWith } from '../../../support/admin.ts';
import { requirePostgres, startPostgres, type PostgresServer } from '../../../support/servers/postgres.ts';
import { until } from '../../../support/until.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

const plugins = ['auth', 'rate-limit', 'ledger'].map((use) => ({ use }));

describe('koine store migrate', () => {
  let postgres: PostgresServer;
  let folder: ServedFolder;
  let client: Client;
  let secret = '';
  before(async function start() {
    requirePostgres(this);
    postgres = await startPostgres();
    client = new Client({ connectionString: postgres.url });
    await client.connect();
    folder = createServedFolder({ plugins });
    secret = (await folder.run('keys', 'create', '--name', 'ann', '--limit', 'cost=25/month')).out.trimEnd();
    await served(async (url) => {
      for (let count = 0; count < 5; count += 1) expect(await statusWith({ url }, secret)).to.equal(200);
    });
  });
  after(async () => {
    await client?.end();
    await postgres?.stop();
    folder?.remove();
  });

  const served = async (use: (url: string) => Promise<void>): Promise<void> => {
    const gateway = await folder.serve();
    try {
      await use(gateway.data.url);
    } finally {
      await gateway.stop();
    }
  };
  const source = (): string => `sqlite:${join(folder.path, 'data/koine.db')}`;
  const schema = async (name: string): Promise<string> => {
    await client.query(`CREATE SCHEMA ${name}`);
    return `${postgres.url}?options=-csearch_path%3D${name}`;
  };
  const read = async (sql: string): Promise<readonly unknown[]> => (await client.query<object>(sql)).rows;
  const migrate = (to: string) => folder.run('store', 'migrate', '--from', source(), '--to', to);

  it('copies keys and ledger, and the gateway goes on with them', async () => {
    const to = await schema('moved');
    const { code, out, err } = await migrate(to);
    expect(code, err).to.equal(0);
    expect(out)
      .to.match(/^keys: 1 rows$/m)
      .and.match(/^ledger: 5 rows$/m);
    expect(err).to.include('counts and sums of every column are equal');
    const sqlite = new DatabaseSync(join(folder.path, 'data/koine.db'), { readOnly: true });
    const sums = 'SELECT count(*) AS count, sum(cost) AS cost, min(id) AS first, max(opened_at) AS last FROM';
    const [moved] = await read(`${sums} moved.ledger`);
    const wanted = Object.entries(sqlite.prepare(`${sums} ledger`).get() ?? {});
    expect(Object.entries(moved ?? {}).map(([name, value]) => [name, String(value)])).to.deep.equal(
      wanted.map(([name, value]) => [name, String(value)]),
    );
    sqlite.close();
    folder.change({ plugins, store: { database: to } });
    await served(async (url) => {
      expect(await statusWith({ url }, secret)).to.equal(200);
    });
    expect(await read("SELECT count(*)::int AS rows FROM moved.ledger WHERE state = 'settled'")).to.deep.equal([
      { rows: 6 },
    ]);
    folder.change({ plugins });
  });

  it('makes the tables, columns, indexes and triggers that a gateway makes in a new Postgres', async () => {
    const [made, copied] = [await schema('made'), await schema('copied')];
    expect((await migrate(copied)).code).to.equal(0);
    // A gateway makes partitions some time after it has started.
    const hasPartitions = async (name: string): Promise<boolean> =>
      (await read(`SELECT 1 FROM pg_tables WHERE schemaname = '${name}' AND tablename = 'ledger_rest'`)).length > 0;
    for (const [name, database] of Object.entries({ made, copied })) {
      folder.change({ plugins, store: { database } });
      await served(() => until(`the ledger of ${name} has partitions`, () => hasPartitions(name)));
    }
    folder.change({ plugins });
    /** The days of partitions are those of the moment. */
    const isOwn = (column: string): string => `${column} !~ '^ledger_[0-9]{8}$'`;
    const columnsOf = (name: string) =>
      read(`SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
        FROM information_schema.columns WHERE table_schema = '${name}' AND ${isOwn('table_name')} ORDER BY 1, 2`);
    const indexesOf = async (name: string) =>
      JSON.stringify(
        await read(
          `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = '${name}' AND ${isOwn('tablename')} ORDER BY 1`,
        ),
      ).replaceAll(`${name}.`, '');
    const triggersOf = (name: string) =>
      read(`SELECT event_object_table, trigger_name, event_manipulation, action_timing
        FROM information_schema.triggers WHERE trigger_schema = '${name}' AND ${isOwn('event_object_table')}
        ORDER BY 1, 2, 3`);
    expect(await triggersOf('copied'))
      .to.deep.equal(await triggersOf('made'))
      .and.not.deep.equal([]);
    expect(await columnsOf('copied')).to.deep.equal(await columnsOf('made'));
    expect(await indexesOf('copied')).to.equal(await indexesOf('made'));
  });

  it('copies numbers that JavaScript has no exact number for', async () => {
    const sqlite = new DatabaseSync(join(folder.path, 'data/koine.db'));
    sqlite.exec('CREATE TABLE zz_large (number INTEGER) STRICT; INSERT INTO zz_large VALUES (9007199254740993)');
    try {
      const { code, err } = await migrate(await schema('large'));
      expect(code, err).to.equal(0);
      expect(await read('SELECT number::text FROM large.zz_large')).to.deep.equal([{ number: '9007199254740993' }]);
    } finally {
      sqlite.exec('DROP TABLE zz_large');
      sqlite.close();
    }
  });

  it('leaves what an earlier version of the source lacks to the gateway', async () => {
    const path = join(folder.path, 'earlier.db');
    const sqlite = new DatabaseSync(join(folder.path, 'data/koine.db'));
    sqlite.exec(`VACUUM INTO '${path}'`);
    sqlite.close();
    const earlier = new DatabaseSync(path);
    earlier.exec("DELETE FROM koine_migrations WHERE name = '016-created-keys'");
    earlier.close();
    const to = await schema('earlier');
    const { code, err } = await folder.run('store', 'migrate', '--from', `sqlite:${path}`, '--to', to);
    expect(code, err).to.equal(0);
    const created =
      "SELECT tgname FROM pg_trigger WHERE tgrelid = 'earlier.keys'::regclass AND tgname = 'keys_created'";
    expect(await read(created)).to.deep.equal([]);
    await (await openDatabase(to)).destroy();
    expect(await read(created)).to.deep.equal([{ tgname: 'keys_created' }]);
  });

  it('refuses a target with tables, and changes nothing there', async () => {
    const to = await schema('taken');
    await client.query('CREATE TABLE taken.ledger (id TEXT)');
    const { code, err } = await migrate(to);
    expect(code).to.equal(1);
    expect(err).to.include('has tables of a gateway already (ledger). Name an empty database');
    expect(await read("SELECT tablename FROM pg_tables WHERE schemaname = 'taken'")).to.deep.equal([
      { tablename: 'ledger' },
    ]);
  });

  it('copies nothing if a row cannot be stored', async () => {
    const sqlite = new DatabaseSync(join(folder.path, 'data/koine.db'));
    sqlite.exec("CREATE TABLE zz_broken (text TEXT) STRICT; INSERT INTO zz_broken VALUES ('a' || char(0) || 'b')");
    try {
      const { code, err } = await migrate(await schema('partial'));
      expect(code).to.equal(1);
      expect(err).to.include('could not be copied to postgres://');
      expect(await read("SELECT tablename FROM pg_tables WHERE schemaname = 'partial'")).to.deep.equal([]);
    } finally {
      sqlite.exec('DROP TABLE zz_broken');
      sqlite.close();
    }
  });

  it('copies nothing while the source is written', async () => {
    const sqlite = new DatabaseSync(join(folder.path, 'data/koine.db'), { timeout: 5_000 });
    const timer = setInterval(() => sqlite.exec('UPDATE keys SET created_at = created_at + 1'), 1);
    try {
      const { code, err } = await folder.runProgram(
        'store',
        'migrate',
        '--from',
        source(),
        '--to',
        await schema('written'),
      );
      expect(code).to.equal(1);
      expect(err).to.include('was written meanwhile');
      expect(await read("SELECT tablename FROM pg_tables WHERE schemaname = 'written'")).to.deep.equal([]);
    } finally {
      clearInterval(timer);
      sqlite.close();
    }
  });

  for (const args of [
    ['--from', 'sqlite:./a.db'],
    ['--from', 'postgres://a/b', '--to', 'postgres://a/b'],
    ['--from', 'sqlite:./missing.db', '--to', 'postgres://a/b'],
  ])
    it(`koine exits with 2 on "store migrate ${args.join(' ')}"`, async () =>
      expect((await folder.run('store', 'migrate', ...args)).code).to.equal(2));

  it('names a server that it cannot reach without the password', async () => {
    const { code, err } = await migrate('postgres://koine:a-secret-word@127.0.0.1:9/koine');
    expect(code).to.equal(1);
    expect(err).to.include('postgres://127.0.0.1:9/koine').and.not.include('a-secret-word');
  });
});
