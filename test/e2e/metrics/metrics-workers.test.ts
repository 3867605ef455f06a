import { expect } from 'chai';
import { readProcessMetrics } from '../../../core/api/metrics.ts';
import { parseMetrics, scrapeMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';

/** That of a gateway in this test, without requests. */
const LEAST_HEAP_BYTES = 20_000_000;
const TOTAL = 'koine_http_requests_total';

describe('metrics of several workers', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      plugins: [{ use: 'metrics', config: { genaiSemconv: true } }, { use: 'auth' }],
    });
  });
  after(() => koine?.end());

  /** The totals of all scrapes, and the latest. */
  const seen: number[] = [];
  let families: ReadonlyMap<string, Family> = new Map();
  const scrape = async (): Promise<void> => {
    const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    families = parseMetrics(text);
    seen.push(sumOf(families, TOTAL));
  };
  const scrapeUntil = async (total: number): Promise<void> => {
    const deadline = performance.now() + 40_000;
    do {
      await scrape();
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (seen.at(-1) !== total && performance.now() < deadline);
    expect(seen.at(-1)).to.equal(total);
  };
  const ask = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => send(koine.url, callOf('chat', 'simulator/chat'))));

  it('metrics of all workers are one sum that does not fall when a worker is killed', async () => {
    await ask(40);
    await scrapeUntil(40);
    const before = sumOf(families, 'koine_tokens_total');
    const victim = koine.workers()[0]!;
    koine.kill(victim);
    await until('another worker', () => koine.workers().length === 3);
    await scrapeUntil(40);
    expect(sumOf(families, 'koine_tokens_total')).to.equal(before).and.be.greaterThan(0);
    await ask(20);
    await scrapeUntil(60);
    expect(seen).to.deep.equal(seen.toSorted((one, other) => one - other));
    expect(sumOf(families, 'gen_ai_server_request_duration_seconds_count')).to.equal(60);
    expect(sumOf(families, 'koine_requests_in_flight')).to.equal(0);
    const restarts = families
      .get('koine_worker_restarts_total')
      ?.samples.map(({ labels, value }) => [labels['reason'], value]);
    expect(restarts, 'those that have not happened too').to.have.deep.members([
      ['start', 0],
      ['error', 0],
      ['memory', 0],
      ['stalled', 0],
      ['exit', 1],
    ]);
    expect(sumOf(families, 'koine_workers')).to.equal(2);
  });

  it('process metrics are those of the one process, and heaps those of all its threads', async function () {
    if (process.platform !== 'linux') this.skip();
    const ours = sumOf(await scrapeMetrics(await readProcessMetrics()), 'process_max_fds');
    const heapOf = async (): Promise<number> => {
      await scrape();
      return sumOf(families, 'nodejs_heap_size_total_bytes');
    };
    // The heap of the main thread, and of two workers.
    const deadline = performance.now() + 40_000;
    while ((await heapOf()) < 3 * LEAST_HEAP_BYTES && performance.now() < deadline);
    expect(await heapOf()).to.be.greaterThan(3 * LEAST_HEAP_BYTES);
    expect(sumOf(families, 'process_max_fds')).to.equal(ours);
    expect(sumOf(families, 'process_resident_memory_bytes')).to.be.within(0.5 * koine.memory(), 2 * koine.memory());
    expect(families.get('koine_build_info')?.samples).to.have.lengthOf(1);
    expect(families.get('koine_config_info')?.samples.map(({ value }) => value)).to.deep.equal([1]);
  });
});
