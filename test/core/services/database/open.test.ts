import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { openDatabase, sql, type Database } from '../../../../core/services/database/database.ts';
import { raceProcesses } from '../../../support/race-processes.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const readFailure = async (opening: Promise<unknown>): Promise<GatewayError> => {
  try {
    await opening;
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('openDatabase', () => {
  const folder = createTemporaryFolder();
  after(folder.remove);

  it('creates the database file and the folders above it', async () => {
    const path = join(folder.path, 'a', 'b', 'koine.db');
    const database = await openDatabase(`sqlite:${path}`);
    await database.destroy();
    expect(existsSync(path)).to.equal(true);
  });

  it('uses a write-ahead log, syncs each commit and enforces foreign keys', async () => {
    const database = await openDatabase(`sqlite:${join(folder.path, 'settings.db')}`);
    const read = async (name: string): Promise<unknown> =>
      Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(database)).rows[0] ?? {})[0];
    expect([await read('journal_mode'), await read('synchronous'), await read('foreign_keys')]).to.deep.equal([
      'wal',
      2,
      1,
    ]);
    await database.destroy();
  });

  it('waits for a writer without blocking the thread, which can be the writing one', async () => {
    const url = `sqlite:${join(folder.path, 'turns.db')}`;
    const [one, other] = [await openDatabase(url), await openDatabase(url)];
    const order: string[] = [];
    const write = (database: Database, name: string) =>
      database.transaction().execute(async (transaction) => {
        order.push(`${name} begins`);
        await delay(30);
        await sql`CREATE TABLE ${sql.ref(name)} (a)`.execute(transaction);
        order.push(`${name} ends`);
      });
    await Promise.all([write(one, 'a'), write(other, 'b'), sql`CREATE TABLE c (a)`.execute(other)]);
    expect(order).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
    await Promise.all([one.destroy(), other.destroy()]);
  });

  it('the database gives up on a writer that does not finish', async function wait() {
    const path = join(folder.path, 'stuck.db');
    const database = await openDatabase(`sqlite:${path}`);
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    expect((await readFailure(database.deleteFrom('keys').execute())).message).to.equal(
      'The database query failed: database is locked.',
    );
    expect(await database.selectFrom('keys').selectAll().execute()).to.deep.equal([]);
    writer.close();
    await database.deleteFrom('keys').execute();
    await database.destroy();
  });

  it('a moment in which the process does not run does not use up the timeout', async () => {
    const path = join(folder.path, 'stopped.db');
    const database = await openDatabase(`sqlite:${path}`, { name: '', migrations: [], timeoutMs: 1_000 });
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500), 20);
    setTimeout(() => writer.exec('COMMIT'), 60);
    await sql`CREATE TABLE a (a)`.execute(database);
    writer.close();
    await database.destroy();
  });

  it('waits for a writer at most for the timeout of its owner', async () => {
    const path = join(folder.path, 'impatient.db');
    const database = await openDatabase(`sqlite:${path}`, { name: '', migrations: [], timeoutMs: 100 });
    const patient = await openDatabase(`sqlite:${path}`);
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    let isWaiting = true;
    const waiting = patient
      .deleteFrom('keys')
      .execute()
      .finally(() => (isWaiting = false));
    const startedAt = performance.now();
    await readFailure(database.transaction().execute((transaction) => sql`DELETE FROM keys`.execute(transaction)));
    expect(performance.now() - startedAt).to.be.at.least(100);
    expect(isWaiting, 'another database waits longer').to.equal(true);
    writer.close();
    await waiting;
    await Promise.all([database.destroy(), patient.destroy()]);
  });

  it('reports a full disk, even within a transaction that it has ended', async () => {
    const database = await openDatabase(`sqlite:${join(folder.path, 'full.db')}`);
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(database);
    await sql`PRAGMA max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 2)}`.execute(database);
    const filling = database.transaction().execute(async (transaction) => {
      await sql`CREATE TABLE big (a)`.execute(transaction);
      await sql`INSERT INTO big VALUES (zeroblob(1000000))`.execute(transaction);
    });
    expect((await readFailure(filling)).message).to.equal('The database query failed: database or disk is full.');
    expect(await database.selectFrom('keys').selectAll().execute()).to.deep.equal([]);
    await database.destroy();
  });

  it('keeps a database in memory for sqlite::memory:', async () => {
    const database = await openDatabase('sqlite::memory:');
    expect(await database.selectFrom('keys').selectAll().execute()).to.deep.equal([]);
    await database.destroy();
  });

  it('releases the file when closed before the first query', async () => {
    const path = join(folder.path, 'unused.db');
    await (await openDatabase(`sqlite:${path}`)).destroy();
    expect(existsSync(`${path}-wal`)).to.equal(false);
  });

  it('reports a file that is not a database, with its path', async () => {
    const path = join(folder.path, 'notes.txt');
    writeFileSync(
      path,
      'these are notes, not tables, and long enough to be read as a header of a database file'.repeat(20),
    );
    const error = await readFailure(openDatabase(`sqlite:${path}`));
    expect(error.code).to.equal('KOINE_STORE_FAILED');
    expect(error.message).to.equal(`The database ${path} could not be opened: file is not a database.`);
  });

  it('reports a folder that cannot be created or is a file', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    mkdirSync(join(folder.path, 'folder'));
    for (const path of [join(file, 'koine.db'), join(folder.path, 'folder')]) {
      const error = await readFailure(openDatabase(`sqlite:${path}`));
      expect(error.code).to.equal('KOINE_STORE_FAILED');
      expect(error.message)
        .to.include(path)
        .and.to.match(/could not be opened: .+\.$/);
    }
  });

  it('refuses another kind of URL without quoting its password', async () => {
    for (const url of ['mysql://koine:hunter2@db/koine', 'sqlite:', '']) {
      const error = await readFailure(openDatabase(url));
      expect(error.code).to.equal('KOINE_STORE_FAILED');
      expect(error.message)
        .to.match(/write sqlite:/)
        .and.not.to.include('hunter2');
    }
  });

  const openBesideWriter = async (path: string): Promise<readonly string[]> => {
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE; CREATE TABLE other (a)');
    const race = raceProcesses(new URL('open-racing.ts', import.meta.url), `sqlite:${path}`, 1);
    setTimeout(() => writer.exec('COMMIT'), 1500);
    const results = await race;
    writer.close();
    return results;
  };

  it('waits for a writer of a new file, although SQLite itself does not', async () => {
    expect(await openBesideWriter(join(folder.path, 'new-and-busy.db'))).to.deep.equal(['opened with 0 keys']);
  });

  it('waits for a writer before it checks for migrations', async () => {
    const path = join(folder.path, 'old-and-busy.db');
    await (await openDatabase(`sqlite:${path}`, { name: '', migrations: [] })).destroy();
    expect(await openBesideWriter(path)).to.deep.equal(['opened with 0 keys']);
  });

  it('processes that open the same new file at the same time all work', async () => {
    for (const round of [1, 2]) {
      const results = await raceProcesses(
        new URL('open-racing.ts', import.meta.url),
        `sqlite:${join(folder.path, `race-${round}`, 'koine.db')}`,
        4,
      );
      expect(results).to.deep.equal(Array.from({ length: 4 }, () => 'opened with 0 keys'));
    }
  });
});
