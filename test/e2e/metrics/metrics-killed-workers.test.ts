import { expect } from 'chai';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';
import { callOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';

const TOTAL = 'koine_http_requests_total';
const KILLS = 3;
const EVERY_MS = 1_000;
const CLIENTS = 4;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What may never fall. */
const countersOf = (families: ReadonlyMap<string, Family>): ReadonlyMap<string, number> =>
  new Map(
    [...families.values()]
      .filter(({ type }) => type !== 'gauge')
      .flatMap(({ samples }) =>
        samples.map(({ name, labels, value }) => [`${name} ${JSON.stringify(labels)}`, value] as const),
      ),
  );

describe('metrics while a worker is killed again and again', function () {
  this.timeout(90_000);
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({ server: { workers: 2 }, plugins: [{ use: 'metrics' }, { use: 'auth' }] });
  });
  after(() => koine?.end());

  it('counters never fall, and have all that clients got a response to', async () => {
    let answered = 0;
    const falls: string[] = [];
    let broken = 0;
    const over = new AbortController();
    let last: ReadonlyMap<string, number> = new Map();
    let families: ReadonlyMap<string, Family> = new Map();

    const client = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const reply = await send(koine.url, callOf('chat', 'simulator/chat')).catch(() => undefined);
        if (reply?.status === 200) answered += 1;
        else broken += 1;
        await delay(40);
      }
    };
    const scrape = async (): Promise<void> => {
      families = parseMetrics((await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text);
      const now = countersOf(families);
      for (const [series, value] of last)
        if ((now.get(series) ?? -1) < value) falls.push(`${series}: ${value} -> ${now.get(series)}`);
      last = now;
    };
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await scrape();
        await delay(250);
      }
    };
    const kill = async (): Promise<void> => {
      for (let round = 0; round < KILLS; round += 1) {
        await delay(EVERY_MS);
        const known = koine.workers().length;
        koine.kill(koine.workers().at(-1)!);
        await until('another worker', () => koine.workers().length > known, 200);
      }
      await delay(EVERY_MS);
      over.abort();
    };
    await Promise.all([kill(), watch(), ...Array.from({ length: CLIENTS }, client)]);
    await until('none is in flight', async () => {
      await scrape();
      return sumOf(families, 'koine_requests_in_flight') === 0;
    });

    expect(falls).to.deep.equal([]);
    const counted = sumOf(families, TOTAL, { code: '200' });
    // A response ends after it was counted.
    expect(counted).to.be.within(answered, answered + broken);
    expect(answered).to.be.greaterThan(100);
    expect(sumOf(families, 'koine_worker_restarts_total', { reason: 'exit' })).to.equal(KILLS);
  });
});
