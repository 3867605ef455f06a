import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from '../../../../core/gateway.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

describe('koine store backup', () => {
  const files = mkdtempSync(join(tmpdir(), 'koine-backups-'));
  let folder: ServedFolder;
  before(() => {
    folder = createServedFolder();
  });
  after(() => {
    folder.remove();
    rmSync(files, { recursive: true });
  });

  it('copies nothing where there is no database', async () => {
    const { code, err } = await folder.run('store', 'backup', join(files, 'none.db'));
    expect([code, existsSync(join(files, 'none.db'))]).to.deep.equal([1, false]);
    expect(err).to.match(/There is no database .*koine\.db to copy/);
  });

  it('copies one consistent state while a gateway serves and another connection writes', async () => {
    const gateway: Gateway = await folder.serve();
    try {
      const names = ['ann', 'ben', 'cem'];
      for (const name of names) await folder.run('keys', 'create', '--name', name);
      const target = join(files, 'copy.db');
      const writer = new DatabaseSync(join(folder.path, 'data/koine.db'), { timeout: 5_000 });
      let writes = 0;
      const timer = setInterval(() => writer.exec(`UPDATE keys SET created_at = ${(writes += 1)}`), 1);
      const { code, err } = await folder.runProgram('store', 'backup', target);
      clearInterval(timer);
      writer.close();
      expect(code, err).to.equal(0);
      expect(err).to.include(`to ${target} (`);
      expect(statSync(target).mode & 0o777).to.equal(0o600);
      const copy = new DatabaseSync(target, { readOnly: true });
      const rows = copy.prepare('SELECT name, created_at AS written FROM keys ORDER BY name').all();
      expect(rows.map(({ name }) => name)).to.deep.equal(names);
      expect(new Set(rows.map(({ written }) => written)).size).to.equal(1);
      expect(writes).to.be.greaterThan(0);
      copy.close();
    } finally {
      gateway.cut();
      await gateway.stop();
    }
  });

  it('overwrites nothing, and says what to do with a Postgres', async () => {
    const target = join(files, 'taken.db');
    writeFileSync(target, '');
    expect((await folder.run('store', 'backup', target)).err).to.include(
      'taken.db exists. Choose the name of a new file',
    );
    const missing = await folder.run('store', 'backup', join(files, 'missing', 'copy.db'));
    expect([missing.code, missing.err]).to.deep.equal([
      2,
      `${join(files, 'missing', 'copy.db')} cannot be written: its folder does not exist. Create it first.\n` +
        'See "koine --help".\n',
    ]);
    for (const args of [['backup'], ['backup', '--config', 'x'], ['copy'], []])
      expect((await folder.run('store', ...args)).code).to.equal(2);
    folder.change({ store: { database: 'postgres://koine:secret-word@127.0.0.1:9/koine' } });
    const { code, err } = await folder.run('store', 'backup', join(files, 'never.db'));
    expect(code).to.equal(2);
    expect(err).to.include('pg_dump --format=custom').and.not.include('secret-word');
  });
});
