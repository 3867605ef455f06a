import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { openDatabase } from '../../../core/services/database.ts';
import { applyMigrations } from '../../../core/services/database-migrations.ts';
import { gatewayMigrations } from '../../../core/services/database-schema.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const first = { name: '001-notes', sql: 'CREATE TABLE notes (text TEXT) STRICT; INSERT INTO notes VALUES (\'one\')' };
const second = { name: '002-more', sql: 'INSERT INTO notes VALUES (\'two\')' };

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

  it('run once, and only the new ones at the next start', async () => {
    const path = join(folder.path, 'once.db');
    await openDatabase(`sqlite:${path}`, [first]).destroy();
    await openDatabase(`sqlite:${path}`, [first]).destroy();
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one']);
    await openDatabase(`sqlite:${path}`, [first, second]).destroy();
    await openDatabase(`sqlite:${path}`, [first, second]).destroy();
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one', 'two']);
    expect(read(path, 'SELECT name FROM koine_migrations ORDER BY name')).to.deep.equal(['001-notes', '002-more']);
  });

  it('record when they ran', async () => {
    const path = join(folder.path, 'when.db');
    await openDatabase(`sqlite:${path}`, [first]).destroy();
    const [at] = read(path, 'SELECT applied_at FROM koine_migrations');
    expect(Number(at)).to.be.closeTo(Date.now(), 10_000);
  });

  it('refuse a database of a newer version, by name, and leave it as it is', async () => {
    const path = join(folder.path, 'newer.db');
    await openDatabase(`sqlite:${path}`, [first, second]).destroy();
    expect(() => openDatabase(`sqlite:${path}`, [first])).to.throw(/newer version of the gateway \(migrations unknown here: 002-more\)/).with.property('code', 'KOINE_STORE_FAILED');
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one', 'two']);
  });

  it('leave nothing behind when one of them fails', async () => {
    const path = join(folder.path, 'broken.db');
    const broken = { name: '002-broken', sql: 'INSERT INTO notes VALUES (\'half\'); INSERT INTO nowhere VALUES (1)' };
    expect(() => openDatabase(`sqlite:${path}`, [first, broken])).to.throw(/no such table: nowhere/).with.property('code', 'KOINE_STORE_FAILED');
    expect(read(path, 'SELECT name FROM sqlite_master')).to.deep.equal([]);
    await openDatabase(`sqlite:${path}`, [first]).destroy();
    expect(read(path, 'SELECT text FROM notes')).to.deep.equal(['one']);
  });

  it('leave no transaction open when one of them fails', () => {
    const sqlite = new DatabaseSync(':memory:');
    expect(() => applyMigrations(sqlite, [{ name: '001-broken', sql: 'INSERT INTO nowhere VALUES (1)' }])).to.throw('no such table: nowhere');
    expect(sqlite.isTransaction).to.equal(false);
    sqlite.close();
  });

  it('of the gateway have names that are unique and in order', () => {
    const names = gatewayMigrations.map((migration) => migration.name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });
});
