import { expect } from 'chai';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../../../core/api/index.ts';
import { openDatabase } from '../../../core/api/database.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { watchDatabaseFile, type DatabaseFile } from '../../../plugins/ledger/thread/database-file.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('watchDatabaseFile', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let file: string;
  let database: LedgerDatabase;
  let watched: DatabaseFile;
  beforeEach(async () => {
    folder = createTemporaryFolder();
    file = join(folder.path, 'koine.db');
    database = await openDatabase<LedgerSchema>(`sqlite:${file}`, ledgerTables(1_000));
    watched = watchDatabaseFile(file);
  });
  afterEach(async () => {
    await database.destroy();
    folder.remove();
  });

  it('accepts an intact file with an empty write-ahead log, and without one', () => {
    expect(watched.check).to.not.throw();
    writeFileSync(`${file}-wal`, '');
    expect(watched.check).to.not.throw();
    rmSync(`${file}-wal`);
    expect(watched.check).to.not.throw();
  });

  it('reports a removed file and what to do', () => {
    rmSync(file);
    expect(watched.check)
      .to.throw(`The file ${file} was removed or replaced while the gateway had it open`)
      .with.property('message')
      .that.matches(/start the gateway again/);
  });

  it('reports a file that was replaced by another', () => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    expect(watched.check).to.throw(`The file ${file} was removed or replaced while the gateway had it open`);
  });

  it('reports an overwritten write-ahead log', () => {
    writeFileSync(`${file}-wal`, Buffer.alloc(4_096, 0x5a));
    expect(watched.check).to.throw(`The file ${file} is broken: its -wal file was overwritten. Stop the gateway`);
  });

  const failureOf = (thrown: unknown): Promise<unknown> =>
    watched
      .explain(() => Promise.reject(thrown))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  /** An SQLite failure as the core throws it. @param errcode https://www.sqlite.org/rescode.html */
  const failWith = (errcode: number): GatewayError =>
    new GatewayError('KOINE_STORE_FAILED', 'The statement failed: malformed.', {
      cause: Object.assign(new Error('malformed'), { errcode }),
    });

  for (const [name, errcode] of [
    ['SQLITE_CORRUPT', 11],
    ['SQLITE_CORRUPT_INDEX', 779],
    ['SQLITE_NOTADB', 26],
  ] as const) {
    it(`names the file and what to do when SQLite fails with ${name}`, async () => {
      expect(await failureOf(failWith(errcode)))
        .to.be.an('error')
        .with.property('message')
        .that.includes(`The file ${file} is broken (The statement failed: malformed). Stop the gateway`);
    });
  }

  it('passes other failures and results through unchanged', async () => {
    const full = failWith(13);
    expect(await failureOf(full)).to.equal(full);
    expect(await watched.explain(async () => 'a result')).to.equal('a result');
  });

  it('accepts every state of a database that is not a file', async () => {
    const none = watchDatabaseFile(undefined);
    expect(none.check).to.not.throw();
    expect(await none.explain(async () => 'a result')).to.equal('a result');
  });
});
