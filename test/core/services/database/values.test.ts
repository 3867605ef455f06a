import { expect } from 'chai';
import { openDatabase, sql, type Database } from '../../../../core/services/database/database.ts';
import type { Migration } from '../../../../core/services/database/migrations.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';

interface Things {
  readonly things: {
    readonly text: string | null;
    readonly count: number | bigint | null;
    readonly real: number | null;
    readonly bytes: Uint8Array | null;
  };
}

describeOnBoth('values in the database', ({ kind, fresh, ask }) => {
  let url: string;
  let database: Database<Things>;
  const migrations: readonly Migration[] = [
    {
      name: '001-things',
      sql: ({ text, integer, real, bytes, strict }) => [
        `CREATE TABLE things (text ${text}, count ${integer}, real ${real}, bytes ${bytes}) ${strict}`,
      ],
    },
  ];
  beforeEach(async () => {
    url = await fresh();
    database = await openDatabase<Things>(url, { name: 'things', migrations });
  });
  afterEach(() => database.destroy());

  const store = async (column: keyof Things['things'], value: unknown): Promise<unknown> => {
    const stored = await sql<{
      thing: unknown;
    }>`insert into things (${sql.ref(column)}) values (${value}) returning ${sql.ref(column)} as thing`.execute(
      database,
    );
    return stored.rows[0]?.thing;
  };
  const failureOf = async (asking: Promise<unknown>): Promise<Error> => {
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).with.property('code', 'KOINE_STORE_FAILED');
    return error instanceof Error ? error : new Error();
  };

  it('reads values as they were written, including bytes and null', async () => {
    for (const [column, value] of [
      ['text', 'text'],
      ['text', 'ä€😀'],
      ['text', '7'],
      ['count', 7],
      ['count', -1],
      ['real', 1.5],
      ['text', null],
      ['count', null],
      ['bytes', null],
    ] as const) {
      expect(await store(column, value)).to.equal(value);
    }
    expect(await store('bytes', Buffer.from([0, 1, 2, 255])))
      .to.deep.equal(new Uint8Array([0, 1, 2, 255]))
      .and.to.have.property('constructor', Uint8Array);
    expect([await store('count', true), await store('count', false)]).to.deep.equal([1, 0]);
  });

  it('reads integers as numbers if exact, otherwise as bigints', async () => {
    for (const time of [0, 1_795_255_417_258, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
      expect(await store('count', time)).to.equal(time);
    for (const money of [2n ** 53n, 9_007_199_254_740_993n, 2n ** 63n - 1n, -(2n ** 63n)])
      expect(await store('count', money)).to.equal(money);
    expect(await store('count', 7n)).to.equal(7);
  });

  it('sums values exactly, and averages them', async () => {
    for (const count of [9_007_199_254_740_993n, 2n, null]) await store('count', count);
    const { rows } = await sql`select sum(count) as sum, count(*) as rows from things`.execute(database);
    expect(rows[0]).to.include({ sum: 9_007_199_254_740_995n, rows: 3 });
    await sql`delete from things`.execute(database);
    for (const count of [1, 2]) await store('count', count);
    expect((await sql`select sum(count) as sum, avg(count) as mean from things`.execute(database)).rows[0]).to.include({
      sum: 3,
      mean: 1.5,
    });
  });

  it('refuses a value that does not have the type of its column', async () => {
    await failureOf(store('count', 'seven'));
  });

  it('sorts texts by bytes', async () => {
    for (const text of ['b', 'a', 'B', 'ä', '_', 'a b', 'aa']) await store('text', text);
    const texts = (await database.selectFrom('things').select('text').orderBy('text').execute()).map(
      ({ text }) => text,
    );
    expect(texts).to.deep.equal(['B', '_', 'a', 'a b', 'aa', 'b', 'ä']);
    // A server whose language is C orders so of itself.
    if (kind === 'postgres')
      expect(
        await ask(
          url,
          "SELECT collation_name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'text'",
        ),
      ).to.deep.equal(['C']);
  });

  it('binds values, so that SQL in a text has no effect', async () => {
    const text = `'); drop table things; --`;
    expect(await store('text', text)).to.equal(text);
    expect((await sql`select * from things`.execute(database)).rows).to.have.length(1);
  });

  it('refuses values of an unsupported type by name', async () => {
    for (const value of [{ a: 1 }, [1], new Date(0), undefined]) {
      expect((await failureOf(store('text', value))).message).to.equal(
        `A value of type ${typeof value} cannot be stored in the database.`,
      );
    }
  });

  it('returns the number of changed rows', async () => {
    await store('text', 'a');
    await store('text', 'b');
    expect((await sql`update things set text = 'c'`.execute(database)).numAffectedRows).to.equal(2n);
  });

  it('rolls back values that were written in a failed transaction', async () => {
    const failing = database.transaction().execute(async (transaction) => {
      await sql`insert into things (text) values ('lost')`.execute(transaction);
      await sql`insert into nowhere values (1)`.execute(transaction);
    });
    const reason = kind === 'sqlite' ? 'no such table: nowhere' : 'relation "nowhere" does not exist';
    expect((await failureOf(failing)).message).to.equal(`The database query failed: ${reason}.`);
    expect((await sql`select * from things`.execute(database)).rows).to.deep.equal([]);
  });
});
