import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase, type Database } from '../../../core/services/database.ts';

describe('values in the database', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:');
    await sql`create table things (id integer primary key, thing) `.execute(database);
  });
  afterEach(() => database.destroy());

  const store = async (value: unknown): Promise<unknown> => {
    const stored = await sql<{ thing: unknown }>`insert into things (thing) values (${value}) returning thing`.execute(database);
    return stored.rows[0]?.thing;
  };

  it('come back as they were, bytes and nothing included', async () => {
    for (const value of ['text', 7, 1.5, null]) expect(await store(value)).to.equal(value);
    expect(await store(Buffer.from([1, 2, 255]))).to.deep.equal(new Uint8Array([1, 2, 255]));
    expect([await store(true), await store(false)]).to.deep.equal([1, 0]);
  });

  it('are bound, so that SQL in a text is a text', async () => {
    const text = `'); drop table things; --`;
    expect(await store(text)).to.equal(text);
    expect((await sql`select * from things`.execute(database)).rows).to.have.length(1);
  });

  it('of a kind that SQLite has not are refused by name', async () => {
    const error: unknown = await store({ a: 1 }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'KOINE_STORE_FAILED', message: 'A value of type object cannot be stored in the database.' });
  });

  it('tell how many rows a change touched', async () => {
    await store('a');
    await store('b');
    expect((await sql`update things set thing = 'c'`.execute(database)).numAffectedRows).to.equal(2n);
  });

  it('written in a transaction that fails are gone', async () => {
    const failed: unknown = await database
      .transaction()
      .execute(async (transaction) => {
        await sql`insert into things (thing) values ('lost')`.execute(transaction);
        await sql`insert into nowhere values (1)`.execute(transaction);
      })
      .catch((thrown: unknown) => thrown);
    expect(failed).to.include({ code: 'KOINE_STORE_FAILED', message: 'The database could not be asked: no such table: nowhere.' });
    expect((await sql`select * from things`.execute(database)).rows).to.deep.equal([]);
  });
});
