import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { openDatabase } from '../../../core/services/database.ts';
import type { Migration } from '../../../core/services/database-migrations.ts';
import { gatewayTables } from '../../../core/services/database-schema.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const step = (name: string, ...statements: readonly string[]): Migration => ({ name, sql: () => statements });
const first = step('001-notes', 'CREATE TABLE notes (text TEXT)', "INSERT INTO notes VALUES ('one')");
const second = step('002-more', "INSERT INTO notes VALUES ('two')");

describe('migrations of the database', () => {
  const folder = createTemporaryFolder();
  after(folder.remove);

  const read = (path: string, query: string): unknown[] => {
    const sqlite = new DatabaseSync(path, { readOnly: true });
    try {
      return sqlite.prepare(query).all().flatMap((row) => Object.values(row));
    } finally {
      sqlite.close();
    }
  };

  const open = async (path: string, ...migrations: readonly Migration[]): Promise<void> => (await openDatabase(`sqlite:${path}`, { name: '', migrations })).destroy();

  it('run once, and only the new ones at the next start', async () => {
    const path = join(folder.path, 'once.db');
    await open(path, first);
    await open(path, first);
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one']);
    await open(path, first, second);
    await open(path, first, second);
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one', 'two']);
    expect(read(path, 'SELECT name FROM koine_migrations ORDER BY name')).to.deep.equal(['001-notes', '002-more']);
  });

  it('record when they ran', async () => {
    const path = join(folder.path, 'when.db');
    await open(path, first);
    const [at] = read(path, 'SELECT applied_at FROM koine_migrations');
    expect(Number(at)).to.be.closeTo(Date.now(), 10_000);
  });

  it('refuse a database of a newer version, by name, and leave it as it is', async () => {
    const path = join(folder.path, 'newer.db');
    await open(path, first, second);
    const error: unknown = await open(path, first).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
    expect(error).to.have.property('message').that.includes('newer version of the gateway (migrations unknown here: 002-more)');
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one', 'two']);
  });

  it('leave nothing behind when one of them fails', async () => {
    const path = join(folder.path, 'broken.db');
    const broken = step('002-broken', "INSERT INTO notes VALUES ('half')", 'INSERT INTO nowhere VALUES (1)');
    const error: unknown = await open(path, first, broken).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'KOINE_STORE_FAILED');
    expect(error).to.have.property('message').that.includes('no such table: nowhere');
    expect(read(path, 'SELECT name FROM sqlite_master')).to.deep.equal([]);
    await open(path, first);
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one']);
  });

  it('of the gateway have names that are unique and in order', () => {
    const names = gatewayTables.migrations.map((migration) => migration.name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });
});
