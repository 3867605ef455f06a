import { expect } from 'chai';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError, openDatabase } from '../../../core/index.ts';
import { ledgerTables, type LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { watchSoundFile, type SoundFile } from '../../../plugins/ledger/thread/sound-file.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the file of the ledger', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let file: string;
  let database: LedgerDatabase;
  let sound: SoundFile;
  beforeEach(async () => {
    folder = createTemporaryFolder();
    file = join(folder.path, 'koine.db');
    database = await openDatabase<LedgerSchema>(`sqlite:${file}`, ledgerTables(1_000));
    sound = watchSoundFile(file);
  });
  afterEach(async () => {
    await database.destroy();
    folder.remove();
  });

  it('is looked at in passing while it is sound, with a log and without', () => {
    expect(sound.look).to.not.throw();
    writeFileSync(`${file}-wal`, '');
    expect(sound.look).to.not.throw();
    rmSync(`${file}-wal`);
    expect(sound.look).to.not.throw();
  });

  it('is found to be gone', () => {
    rmSync(file);
    expect(sound.look)
      .to.throw(`The file ${file} is not the one that was opened`)
      .with.property('message')
      .that.matches(/and start again/);
  });

  it('is found to be another', () => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    expect(sound.look).to.throw(`The file ${file} is not the one that was opened`);
  });

  it('is found to have a log that is none', () => {
    writeFileSync(`${file}-wal`, Buffer.alloc(4_096, 0x5a));
    expect(sound.look).to.throw(`The file ${file} is broken: something has written over its -wal. Stop the gateway`);
  });

  const failureOf = (thrown: unknown): Promise<unknown> =>
    sound
      .explain(() => Promise.reject(thrown))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  /** As SQLite's own failures arrive here. @param errcode https://www.sqlite.org/rescode.html */
  const failWith = (errcode: number): GatewayError =>
    new GatewayError('KOINE_STORE_FAILED', 'It could not be asked: malformed.', {
      cause: Object.assign(new Error('malformed'), { errcode }),
    });

  for (const [name, errcode] of [
    ['SQLITE_CORRUPT', 11],
    ['SQLITE_CORRUPT_INDEX', 779],
    ['SQLITE_NOTADB', 26],
  ] as const) {
    it(`has its name in what is said of ${name}`, async () => {
      expect(await failureOf(failWith(errcode)))
        .to.be.an('error')
        .with.property('message')
        .that.includes(`The file ${file} is broken (It could not be asked: malformed). Stop the gateway`);
    });
  }

  it('has nothing to do with other failures', async () => {
    const full = failWith(13);
    expect(await failureOf(full)).to.equal(full);
    expect(await sound.explain(async () => 'an answer')).to.equal('an answer');
  });

  it('is none where the database is no file', async () => {
    const none = watchSoundFile(undefined);
    expect(none.look).to.not.throw();
    expect(await none.explain(async () => 'an answer')).to.equal('an answer');
  });
});
