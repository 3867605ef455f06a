import { expect } from 'chai';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Gateway } from '../../../../core/gateway.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

describe('koine audit verify', () => {
  let folder: ServedFolder;
  let gateway: Gateway;
  before(async () => {
    folder = createServedFolder();
    gateway = await folder.serve();
  });
  after(async () => {
    gateway?.cut();
    await gateway?.stop();
    folder.remove();
  });
  const change = (statement: string): void => {
    const database = new DatabaseSync(join(folder.path, 'data/koine.db'), { timeout: 5_000 });
    database.exec(statement);
    database.close();
  };
  const headOf = (out: string): string => /^head ([\da-f]{64})$/m.exec(out)?.[1] ?? '';

  it('a gateway and commands in processes of their own write one chain, which is whole', async () => {
    const reload = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      await fetch(`${gateway.admin.url}/admin/reload`, { method: 'POST', headers, body: '{}' });
    };
    const created = await Promise.all(
      ['ann', 'ben', 'cem'].map((name) => folder.runProgram('keys', 'create', '--name', name)),
    );
    expect(created.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    await Promise.all([reload(), folder.run('keys', 'create', '--name', 'dan'), reload()]);
    const { code, out, err } = await folder.runProgram('audit', 'verify');
    expect([code, err]).to.deep.equal([0, '']);
    expect(out).to.match(/^The audit log is whole: 6 entries, from 2\S+Z to 2\S+Z\.\nhead [\da-f]{64}\n$/);
  });

  it('exits with 1 and names the first broken entry, and the head that is kept elsewhere shows a removal', async () => {
    const { out } = await folder.run('audit', 'verify');
    const head = headOf(out);
    expect((await folder.run('audit', 'verify', '--head', head)).code).to.equal(0);
    change("UPDATE audit SET actor = 'cli:eve' WHERE position = 3");
    const changed = await folder.run('audit', 'verify', '--head', head);
    expect(changed.code).to.equal(1);
    expect(changed.out).to.match(
      /^The audit log is not whole: the entry [\da-f-]{36} of \S+Z \(koine keys create by cli:eve\) was changed\. The 2 entries before/,
    );
    const report = JSON.parse((await folder.run('audit', 'verify', '--format', 'json')).out) as object;
    expect(report).to.deep.include({ entries: 2, head }).and.to.have.nested.property('broken.reason', 'changed');
    change(`DELETE FROM audit WHERE position >= 3;
      UPDATE audit_chain SET position = 2, head = (SELECT digest FROM audit WHERE position = 2)`);
    expect((await folder.run('audit', 'verify')).code).to.equal(0);
    const removed = await folder.run('audit', 'verify', '--head', head);
    expect([removed.code, removed.out.includes('the newest entries were removed')]).to.deep.equal([1, true]);
  });

  for (const args of [['verify', '--head', 'abc'], ['verify', '--format', 'xml'], ['list'], []])
    it(`koine exits with 2 on "audit ${args.join(' ')}"`, async () =>
      expect((await folder.run('audit', ...args)).code).to.equal(2));
});
