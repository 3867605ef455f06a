import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { createAsk } from '../../reload/generations.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';
import { send } from '../../support/http.ts';

const unruly = fileURLToPath(new URL('../../fixtures/extensions/unruly/index.ts', import.meta.url));
const REQUESTS = 10;

describe('metrics of a worker in an endless loop', function () {
  this.timeout(120_000);
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: unruly }],
    });
  });
  after(() => koine?.end());

  const scrape = async (): Promise<ReadonlyMap<string, Family>> =>
    parseMetrics((await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text);
  const counted = (families: ReadonlyMap<string, Family>): number =>
    sumOf(families, 'koine_http_requests_total', { code: '200' });
  const inFlight = (families: ReadonlyMap<string, Family>): number => sumOf(families, 'koine_requests_in_flight');

  it('are read at once with its last count, and stay when it is terminated', async () => {
    const victim = createAsk(koine);
    for (let count = 0; count < REQUESTS; count += 1) expect((await victim.ask()).status).to.equal(200);
    let isLost = false;
    void victim.ask({ user: 'loop' }).catch(() => (isLost = true));
    // The request that blocks the worker is counted in it immediately before.
    let blocked = await scrape();
    await until('a scrape that has the request', async () => inFlight((blocked = await scrape())) === 1);
    expect(counted(blocked)).to.equal(REQUESTS);
    await until('the worker is terminated', () => isLost);
    victim.end();
    await until('a successor', () => koine.workers().length === 3);
    const after = await scrape();
    expect([counted(after), inFlight(after)]).to.deep.equal([REQUESTS, 0]);
    expect(sumOf(after, 'koine_worker_restarts_total', { reason: 'stalled' })).to.equal(1);
    const successor = createAsk(koine);
    expect((await successor.ask()).status).to.equal(200);
    successor.end();
    await until('its count is added', async () => counted(await scrape()) === REQUESTS + 1);
  });
});
