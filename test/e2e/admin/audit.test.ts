import { expect } from 'chai';
import { askAdmin, createKey, readJson } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError } from '../../support/http.ts';

interface Entry {
  readonly id: string;
  readonly time: string;
  readonly actor: string;
  readonly action: string;
  readonly status: number;
  readonly before: unknown;
  readonly after: unknown;
}
interface Page {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

describe('the audit log', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ providers: { simulator: { use: 'simulator' } } });
  });
  after(() => gateway.stop());
  const list = async (query = ''): Promise<Page> =>
    readJson<Page & Record<string, never>>(await askAdmin(gateway, 'GET', `/admin/audit${query}`));

  it('lists what was done, the newest first, without secrets', async () => {
    const { id, secret } = await createKey(gateway, { name: 'bob' });
    await askAdmin(gateway, 'DELETE', `/admin/keys/${id}`);
    await askAdmin(gateway, 'DELETE', `/admin/keys/${secret}`);
    await askAdmin(gateway, 'DELETE', '/admin/keys/00000000');
    await askAdmin(gateway, 'POST', '/admin/explain', { key: 'alice', model: 'none' });
    const { entries, next } = await list();
    expect(entries.map(({ actor, action, status }) => [actor, action, status])).to.deep.equal([
      ['loopback', 'DELETE /admin/keys/{id}', 404],
      ['loopback', 'DELETE /admin/keys/{id}', 200],
      ['loopback', 'DELETE /admin/keys/{id}', 200],
      ['loopback', 'POST /admin/keys', 201],
    ]);
    expect(next).to.equal(null);
    expect(entries[1]).to.deep.include({ target: id, before: entries[1]?.after });
    expect(entries[2]).to.have.nested.property('before.disabled', false);
    expect(entries[2]).to.have.nested.property('after.disabled', true);
    expect(entries[3]).to.include({ target: id, before: null }).and.have.nested.property('after.name', 'bob');
    expect(entries[0]).to.include({ role: 'admin', address: '127.0.0.1', target: null, before: null, after: null });
    expect(Math.abs(Date.parse(entries[0]?.time ?? '') - Date.now())).to.be.lessThan(60_000);
    expect(JSON.stringify(entries)).to.not.include(secret.slice(secret.lastIndexOf('_') + 1));
  });

  it('has the state before and after each change of a key, also of many keys', async () => {
    const { id } = await createKey(gateway, { name: 'carol' });
    await askAdmin(gateway, 'PATCH', `/admin/keys/${id}`, { disabled: true });
    await askAdmin(gateway, 'POST', '/admin/keys/bulk', { keys: [{ name: 'one' }, { name: 'two' }] });
    const [bulk, changed] = (await list('?limit=2')).entries;
    expect(changed).to.deep.include({ action: 'PATCH /admin/keys/{id}', target: id, status: 200 });
    expect(changed).to.have.nested.property('before.disabled', false);
    expect(changed).to.have.nested.property('after.disabled', true);
    expect(bulk).to.have.nested.property('after[1].name', 'two');
  });

  it('pages through the entries, without a gap or a repetition', async () => {
    for (let made = 0; made < 5; made += 1) await askAdmin(gateway, 'POST', '/admin/reload', {});
    const all = (await list('?limit=500')).entries;
    const seen: Entry[] = [];
    let query = '?limit=2';
    for (;;) {
      const { entries, next } = await list(query);
      expect(entries.length).to.be.within(1, 2);
      seen.push(...entries);
      if (next === null) break;
      query = `?limit=2&cursor=${next}`;
    }
    expect(seen).to.deep.equal(all);
    expect(seen.length).to.be.at.least(5);
  });

  it('selects entries by actor, call and time', async () => {
    await askAdmin(gateway, 'POST', '/admin/reload', {});
    const { entries } = await list(`?action=${encodeURIComponent('POST /admin/reload')}`);
    expect([...new Set(entries.map(({ action }) => action))]).to.deep.equal(['POST /admin/reload']);
    expect((await list('?actor=token')).entries).to.deep.equal([]);
    expect((await list('?actor=loopback&limit=1')).entries).to.have.length(1);
    const last = entries[0]?.time ?? '';
    expect((await list(`?from=${last}`)).entries.length).to.be.at.least(1);
    expect((await list(`?to=${last}`)).entries.map(({ id }) => id)).to.not.include(entries[0]?.id);
    expect((await list('?from=2999-01-01')).entries).to.deep.equal([]);
  });

  for (const [query, param] of [
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?cursor=1', 'cursor'],
    ['?who=dora', 'who'],
    ['?actor=', 'actor'],
  ] as const)
    it(`refuses ${query} of the audit log and names the parameter`, async () => {
      const reply = await askAdmin(gateway, 'GET', `/admin/audit${query}`);
      expect([reply.status, readError(reply).error.param]).to.deep.equal([400, param]);
    });
});
