import { expect } from 'chai';
import { join } from 'node:path';
import type { UsageReport } from '../../../plugins/ledger/api/report.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const folder = createTemporaryFolder();
after(() => folder.remove());

const ALLOWED = 2;
/** Three keys of one name; two of the projects have one name as well. */
const secrets = {
  'acme/app/alice': 'key-of-acme-app-0123456789',
  'acme/web/alice': 'key-of-acme-web-0123456789',
  'rival/web/alice': 'key-of-rival-web-0123456789',
};
const project = (path: keyof typeof secrets) => ({
  keys: { alice: { key: secrets[path], limits: [{ requests: ALLOWED, per: '1h', models: ['simulator/*'] }] } },
});
const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: {
    'simulator/chat': {
      targets: [{ provider: 'simulator', model: 'chat?inputTokens=1000&outputTokens=10&words=3' }],
      price: { input: 1, output: 1 },
    },
  },
  organizations: {
    acme: { projects: { app: project('acme/app/alice'), web: project('acme/web/alice') } },
    rival: { projects: { web: project('rival/web/alice') } },
  },
  plugins: [
    { use: 'auth' },
    { use: 'rate-limit' },
    { use: 'ledger', config: { spool: { path: join(folder.path, 'ledger.spool') } } },
  ],
};

describeOnBoth('keys of one name in several projects', (databases) => {
  let gateway: TestGateway;
  const ask = (secret: string): Promise<HttpReply> =>
    send(gateway.url, {
      path: '/v1/chat/completions',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'x-koine-user': 'ann' },
      body: JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hi' }] }),
    });
  const get = async (path: string): Promise<string> => {
    const reply = await send(gateway.gateway.admin.url, { method: 'GET', path, headers: {} });
    expect(reply.status, reply.text).to.equal(200);
    return reply.text;
  };
  const report = async (query: string): Promise<UsageReport> =>
    JSON.parse(await get(`/admin/usage?${query}`)) as UsageReport;
  const counts = async (query: string, ...names: readonly string[]) =>
    (await report(query)).lines.map((line) =>
      [...names, 'exchanges'].map((name) => Object.entries(line).find(([member]) => member === name)?.[1] as unknown),
    );

  before(async () => {
    gateway = await startTestGateway({ ...settings, store: { database: await databases.fresh() } });
    const statuses: number[] = [];
    for (const secret of Object.values(secrets))
      for (let sent = 0; sent <= ALLOWED; sent += 1) statuses.push((await ask(secret)).status);
    expect(statuses, 'a limit of one counts no request of another').to.deep.equal(
      Object.keys(secrets).flatMap(() => [200, 200, 429]),
    );
    for (const deadline = performance.now() + 30_000; (await report('')).totals.exchanges < 6;) {
      if (performance.now() > deadline) throw new Error('the ledger never had all six');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  after(() => gateway.stop());

  it('have lines of their own in reports by key, from sums and from rows', async () => {
    const lines = Object.keys(secrets).map((path) => [path, 2]);
    expect(await counts('by=key', 'key')).to.deep.equal(lines);
    expect(await counts('by=key&bucket=month', 'key')).to.deep.equal(lines);
    expect(await counts('by=key,user', 'key')).to.deep.equal(lines);
    expect(await counts('by=key,user&bucket=month', 'key')).to.deep.equal(lines);
  });

  it('have projects with lines of their own in reports by project', async () => {
    const lines = ['acme/app', 'acme/web', 'rival/web'].map((path) => [path, 2]);
    expect(await counts('by=project', 'project')).to.deep.equal(lines);
    expect(await counts('by=project,user', 'project')).to.deep.equal(lines);
  });

  it('have latencies of their own in reports by key', async () => {
    for (const { latencyMs } of (await report('by=key&percentiles=true')).lines)
      expect(latencyMs.p50).to.be.a('number');
  });

  it('are found by their path, which is that of their lines, and all of them by their name', async () => {
    for (const path of Object.keys(secrets)) {
      expect((await report(`key=${path}`)).totals.exchanges, path).to.equal(2);
      expect((await report(`key=${path}&user=ann`)).totals.exchanges, path).to.equal(2);
    }
    expect((await report('key=alice')).totals.exchanges).to.equal(6);
    expect((await report('project=rival/web')).totals.exchanges).to.equal(2);
    expect((await report('project=web')).totals.exchanges).to.equal(4);
    expect((await report('key=acme/alice')).totals.exchanges).to.equal(0);
  });

  it('have rows of their own in exports', async () => {
    const rows = (await get('/admin/usage?by=key&format=csv')).trimEnd().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(0, 2))).to.deep.equal(
      Object.keys(secrets).map((path) => [path, '2']),
    );
  });

  it('have limits of their own in the list of limits', async () => {
    const { limits } = JSON.parse(await get('/admin/limits')) as {
      readonly limits: readonly Readonly<Record<'organization' | 'project' | 'key' | 'used', unknown>>[];
    };
    expect(
      limits.map(({ organization, project: name, key, used }) => [organization, name, key, used]),
    ).to.have.deep.members(Object.keys(secrets).map((path) => [...path.split('/'), ALLOWED]));
  });

  it('return only their own usage to their callers', async () => {
    for (const secret of Object.values(secrets)) {
      const headers = { authorization: `Bearer ${secret}` };
      const { text } = await send(gateway.url, { method: 'GET', path: '/v1/usage', headers });
      expect((JSON.parse(text) as UsageReport).totals.exchanges).to.equal(2);
    }
  });
});
