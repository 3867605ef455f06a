import { expect } from 'chai';
import type { Caller, Outcome } from '../../../core/api/index.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import {
  createTestEnded,
  createTestExchange,
  createTestHead,
  createTestOutcome,
  createTestServices,
} from '../../../core/testing/index.ts';
import plugin from '../../../plugins/metrics/index.ts';
import { scrapeMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { chargeOf, one, usageOf } from '../ledger/setup.ts';

const REQUESTS = 'koine_tenant_requests_total';
type Label = 'project' | 'organization';

const start = async (labels: readonly Label[], maxValues: number) => {
  const metrics = createMetrics();
  const services = createTestServices({ metrics });
  const { ended } = await plugin.create({ labels, maxValues, genaiSemconv: false }, services);
  const callers = new Map<string, Caller>();
  return {
    end: (path: string, outcome: Partial<Outcome> = {}, route = '/v1/chat/completions') => {
      const [organization = '', project = ''] = path.split('/');
      const caller = callers.get(path) ?? { key: 'alice', organization, project, models: [] };
      callers.set(path, caller);
      const exchange = createTestExchange({ caller });
      const head = createTestHead({ route: { ...exchange.route, path: route } });
      ended?.(createTestEnded({ head, caller, exchange, outcome: createTestOutcome(outcome) }));
    },
    refuse: () => {
      const head = createTestHead();
      ended?.({ head, outcome: createTestOutcome({ result: 'auth', status: 401 }) });
    },
    scrape: async () => scrapeMetrics(await metrics.snapshot()),
  };
};

/** The values of all samples of the tenants' metrics, by labels. */
const readSeries = (families: ReadonlyMap<string, Family>): ReadonlyMap<string, number> =>
  new Map(
    [...families]
      .filter(([name]) => name.startsWith('koine_tenant_'))
      .flatMap(([name, { samples }]) =>
        samples.map(({ labels, value }) => [`${name} ${JSON.stringify(labels)}`, value]),
      ),
  );

describe('the metrics of tenants', () => {
  const statuses = [200, 400, 401, 404, 429, 500, 502, 503] as const;
  const routes = ['/v1/chat/completions', '/v1/messages', '/v1/responses'];

  it('stay below the caps with a thousand tenants, and leave other metrics as they are', async () => {
    const { end, scrape } = await start(['project', 'organization'], 100);
    for (let round = 0; round < 24; round += 1)
      for (let project = 0; project < 1_000; project += 1)
        end(`org-${project % 4}/project-${project}`, { status: statuses[round % 8] }, routes[Math.floor(round / 8)]);
    const families = await scrape();
    expect(sumOf(families, 'koine_metrics_series_dropped_total')).to.equal(0);
    expect(sumOf(families, 'koine_http_requests_total', { route: 'other' })).to.equal(0);
    expect(families.get('koine_http_requests_total')?.samples).to.have.length.of.at.most(24);
    expect(sumOf(families, REQUESTS)).to.equal(24_000);
  });

  it('have the largest tenants by name, whatever the order in which they appear', async () => {
    const { end, scrape } = await start(['project'], 20);
    for (let turn = 0; turn < 3_000; turn += 1) end(`acme/small-${turn % 300}`);
    for (let turn = 0; turn < 6_000; turn += 1) end(`rival/large-${turn % 3}`);
    const families = await scrape();
    for (const project of ['large-0', 'large-1', 'large-2'])
      expect(sumOf(families, REQUESTS, { organization: 'rival', project }), project).to.be.greaterThan(1_500);
    expect(sumOf(families, REQUESTS)).to.equal(9_000);
  });

  it('only grow, while tenants move from other to their names, and add up to all requests at any time', async () => {
    const { end, scrape } = await start(['project'], 10);
    let before = readSeries(await scrape());
    let sent = 0;
    for (let round = 0; round < 30; round += 1) {
      for (let turn = 0; turn < 100; turn += 1) end(`acme/project-${(turn * round) % 40}`);
      sent += 100;
      const families = await scrape();
      const now = readSeries(families);
      for (const [series, value] of before) expect(now.get(series), series).to.be.at.least(value);
      expect(sumOf(families, REQUESTS)).to.equal(sent);
      before = now;
    }
    expect(sumOf(await scrape(), REQUESTS, { project: 'other' })).to.be.greaterThan(0);
  });

  it('count requests by class, tokens and cost', async () => {
    const { end, refuse, scrape } = await start(['project'], 10);
    const charge = chargeOf(one, usageOf(100, 10));
    end('acme/web', { charges: [charge], cost: charge.cost });
    end('acme/web', { result: 'rate_limited', status: 429 });
    end('rival/web', { result: 'timeout', status: 504 });
    refuse();
    const families = await scrape();
    const where = { organization: 'acme', project: 'web' };
    expect([
      sumOf(families, REQUESTS, { ...where, class: 'success' }),
      sumOf(families, REQUESTS, { ...where, class: 'limited' }),
      sumOf(families, REQUESTS, { organization: 'rival', project: 'web', class: 'failure' }),
      sumOf(families, REQUESTS, { organization: 'other', project: 'other', class: 'client_error' }),
      sumOf(families, REQUESTS),
    ]).to.deep.equal([1, 1, 1, 1, 4]);
    expect(sumOf(families, 'koine_tenant_tokens_total', { ...where, type: 'input' })).to.equal(100);
    expect(sumOf(families, 'koine_tenant_tokens_total', { ...where, type: 'output' })).to.equal(10);
    expect(sumOf(families, 'koine_tenant_cost_total', { ...where, currency: 'USD' }))
      .to.equal(Number(charge.cost) / 1e9)
      .and.be.greaterThan(0);
  });

  it('are by organization alone if only that is configured, and absent by default', async () => {
    const byOrganization = await start(['organization'], 10);
    byOrganization.end('acme/web');
    byOrganization.end('acme/app');
    const families = await byOrganization.scrape();
    expect(families.get(REQUESTS)?.samples.map(({ labels, value }) => [labels, value])).to.deep.equal([
      [{ organization: 'acme', class: 'success' }, 2],
    ]);
    const none = await start([], 10);
    none.end('acme/web');
    expect((await none.scrape()).has(REQUESTS)).to.equal(false);
  });
});
