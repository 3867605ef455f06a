import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { until } from '../../support/until.ts';

const REQUESTS = 'koine_tenant_requests_total';
/** Two projects of one name, and small ones. */
const tenants = ['acme/web', 'rival/web', 'acme/one', 'acme/two', 'acme/three'] as const;
const keyOf = (tenant: string): string => `key-of-${tenant.replace('/', '-')}-0123456789`;
const projects = (organization: string) =>
  Object.fromEntries(
    tenants
      .filter((tenant) => tenant.startsWith(`${organization}/`))
      .map((tenant) => [tenant.split('/')[1], { keys: { alice: { key: keyOf(tenant) } } }]),
  );

describe('the metrics of tenants with two workers', () => {
  let koine: KoineProcess;
  let sent = 0;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      organizations: { acme: { projects: projects('acme') }, rival: { projects: projects('rival') } },
      plugins: [{ use: 'metrics', config: { labels: ['project'], maxValues: 4 } }, { use: 'auth' }],
    });
  });
  after(() => koine?.end());

  const scrape = async (): Promise<ReadonlyMap<string, Family>> =>
    parseMetrics((await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text);
  const ask = async (tenant: string, count: number): Promise<void> => {
    const headers = { ...goodHeaders, authorization: `Bearer ${keyOf(tenant)}` };
    await Promise.all(
      Array.from({ length: count }, () => send(koine.url, { ...callOf('chat', 'simulator/chat'), headers })),
    );
    sent += count;
  };
  const settle = async (): Promise<ReadonlyMap<string, Family>> => {
    let families: ReadonlyMap<string, Family> = new Map();
    await until('all requests in the metrics', async () => {
      families = await scrape();
      return sumOf(families, REQUESTS) === sent;
    });
    return families;
  };
  const count = (families: ReadonlyMap<string, Family>, tenant: string): number => {
    const [organization = '', project = ''] = tenant.split('/');
    return sumOf(families, REQUESTS, { organization, project, class: 'success' });
  };
  const namedIn = (families: ReadonlyMap<string, Family>): readonly string[] => [
    ...new Set(
      families.get(REQUESTS)?.samples.map(({ labels }) => `${labels['organization']}/${labels['project']}`) ?? [],
    ),
  ];

  it('have the same tenants in all workers, which soon count all of their requests', async () => {
    // Workers give names once they have those of the other.
    let families = await scrape();
    await until('two names', async () => {
      await ask('acme/web', 4);
      await ask('rival/web', 4);
      families = await settle();
      return ['acme/web', 'rival/web'].every((tenant) => namedIn(families).includes(tenant));
    });
    // The names of each worker are in the other after one report.
    await until('the names in both workers', async () => {
      const before = await settle();
      await ask('acme/web', 10);
      await ask('rival/web', 10);
      families = await settle();
      return ['acme/web', 'rival/web'].every((tenant) => count(families, tenant) === count(before, tenant) + 10);
    });
    const before = families;
    for (const tenant of tenants) await ask(tenant, 8);
    const after = await settle();
    for (const tenant of ['acme/web', 'rival/web'])
      expect(count(after, tenant) - count(before, tenant), tenant).to.equal(8);
    expect(sumOf(after, REQUESTS)).to.equal(sumOf(after, 'koine_http_requests_total')).and.to.equal(sent);
  });
});
