import { expect } from 'chai';
import { askAdmin, createKey, json, readJson, statusWith } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, type HttpReply } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

interface Listed {
  readonly id: string;
  readonly origin: string;
  readonly limits: readonly object[];
}

describe('organizations and projects by the admin API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat') },
      plugins: ['auth', 'rate-limit'].map((use) => ({ use })),
      organizations: { acme: { limits: [{ cost: 5, per: 'day' }], projects: { web: {} } } },
    });
  });
  after(() => gateway?.stop());

  const call = (method: string, path: string, body?: object, headers: object = {}): Promise<HttpReply> =>
    askAdmin(gateway, method, path, body, { ...json, ...headers });
  const list = async (query = ''): Promise<{ readonly tenants: readonly Listed[]; readonly next: string | null }> =>
    readJson(await call('GET', `/admin/tenants${query}`));

  it('a project is made, its limit counts for its keys at once, and it is changed and removed', async () => {
    const made = readJson(
      await call('POST', '/admin/tenants', {
        organization: 'acme',
        project: 'mobile',
        limits: [{ requests: 2, per: '1h' }],
      }),
      201,
    );
    expect(made).to.deep.include({ id: 'acme/mobile', origin: 'database', warnings: [] });
    const projects = readJson<{ projects: readonly object[] }>(await call('GET', '/admin/projects')).projects;
    expect(projects).to.deep.include({ organization: 'acme', project: 'mobile' });
    const one = await createKey(gateway, { name: 'one', organization: 'acme', project: 'mobile' });
    const two = await createKey(gateway, { name: 'two', organization: 'acme', project: 'mobile' });
    expect(one.warnings).to.deep.equal([]);
    expect(await statusWith(gateway, one.secret)).to.equal(200);
    expect(await statusWith(gateway, two.secret)).to.equal(200);
    expect(await statusWith(gateway, one.secret)).to.equal(429);
    const listed = readJson<{ limits: readonly object[] }>(await call('GET', '/admin/limits?organization=acme')).limits;
    expect(listed.some((limit) => 'project' in limit && limit.project === 'mobile')).to.equal(true);

    const current = await call('GET', '/admin/tenants/acme%2Fmobile');
    const etag = String(current.headers.etag);
    const raised = { limits: [{ requests: 3, per: '1h' }] };
    const changed = await call('PATCH', '/admin/tenants/acme%2Fmobile', raised, { 'if-match': etag });
    expect(changed.status, changed.text).to.equal(200);
    expect(await statusWith(gateway, one.secret)).to.equal(200);
    expect(await statusWith(gateway, one.secret)).to.equal(429);
    const stale = await call('PATCH', '/admin/tenants/acme%2Fmobile', { limits: [] }, { 'if-match': etag });
    expect(stale.status).to.equal(412);

    const refused = await call('DELETE', '/admin/tenants/acme%2Fmobile');
    expect(refused.status).to.equal(409);
    expect(readError(refused).error.message).to.match(/acme\/mobile has keys/);
    for (const { id } of [one, two]) await call('DELETE', `/admin/keys/${id}`);
    expect((await call('DELETE', '/admin/tenants/acme%2Fmobile')).status).to.equal(200);
    expect((await call('GET', '/admin/tenants/acme%2Fmobile')).status).to.equal(404);
    const { entries } = readJson<{ entries: readonly Record<string, unknown>[] }>(
      await call('GET', '/admin/audit?limit=20'),
    );
    const audited = entries.filter(({ action }) => String(action).includes('/admin/tenants'));
    expect(audited.map(({ action, status }) => `${String(action)} ${String(status)}`)).to.deep.equal([
      'DELETE /admin/tenants/{id} 200',
      'DELETE /admin/tenants/{id} 409',
      'PATCH /admin/tenants/{id} 412',
      'PATCH /admin/tenants/{id} 200',
      'POST /admin/tenants 201',
    ]);
    expect(audited.at(-1)?.['after']).to.deep.include({ id: 'acme/mobile', limits: [{ requests: 2, per: '1h' }] });
  });

  it('lists pages, without leaving one out', async () => {
    const names = ['b', 'c', 'd'].map((name) => `paged-${name}`);
    for (const organization of names) await call('POST', '/admin/tenants', { organization });
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      ids.push(...page.tenants.map(({ id }) => id));
      cursor = page.next;
    }
    expect(ids).to.deep.equal(['acme', 'acme/web', ...names]);
    expect((await list('?organization=acme')).tenants.map(({ origin }) => origin)).to.deep.equal([
      'configuration',
      'configuration',
    ]);
    for (const name of names) await call('DELETE', `/admin/tenants/${name}`);
  });

  it('what is wrong is named, and nothing of the file can be changed', async () => {
    const expectRefused = async (reply: HttpReply, status: number, param: string): Promise<void> => {
      expect(reply.status, reply.text).to.equal(status);
      expect(readError(reply).error).to.include({ param });
    };
    await expectRefused(await call('POST', '/admin/tenants', { organization: 'a/b' }), 400, 'organization');
    await expectRefused(await call('POST', '/admin/tenants', { organization: 'x', project: 'y' }), 400, 'organization');
    await expectRefused(await call('POST', '/admin/tenants', { organization: 'x', cost: 1 }), 400, 'cost');
    const badLimit = { organization: 'x', limits: [{ cost: -1, per: 'month' }] };
    await expectRefused(await call('POST', '/admin/tenants', badLimit), 400, 'limits[0].cost');
    await expectRefused(await call('PATCH', '/admin/tenants/acme', { limits: [] }), 409, 'id');
    await expectRefused(await call('DELETE', '/admin/tenants/acme%2Fweb'), 409, 'id');
    await expectRefused(await call('GET', '/admin/tenants?limit=0'), 400, 'limit');
    await expectRefused(await call('GET', '/admin/tenants?name=x'), 400, 'name');
  });

  it('a gateway that shares the database applies a change within seconds, also after a reload', async () => {
    const other = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat') },
      plugins: ['auth', 'rate-limit'].map((use) => ({ use })),
      store: { database: gateway.gateway.reloads.live.config.store.database },
    });
    try {
      await call('POST', '/admin/tenants', { organization: 'shared', limits: [{ requests: 1, per: '1h' }] });
      const key = await createKey(gateway, {
        name: 'bob',
        organization: 'shared',
        project: 'any',
        allowUnknownProject: true,
      });
      await until('the limit applies at the other gateway', async () => {
        await statusWith(other, key.secret);
        return (await statusWith(other, key.secret)) === 429;
      });
      await other.gateway.reloads.request('admin');
      expect(await statusWith(other, key.secret)).to.equal(429);
      await call('PATCH', '/admin/tenants/shared', { limits: [] });
      await until('the limit is gone', async () => (await statusWith(other, key.secret)) === 200);
    } finally {
      await other.stop();
    }
  });
});
