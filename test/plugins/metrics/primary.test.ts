import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { AdminHandler, PrimaryInstance } from '../../../core/api/index.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { createTestPrimaryServices } from '../../../core/testing/index.ts';
import plugin from '../../../plugins/metrics/index.ts';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { adminRequest } from '../../support/admin.ts';

const options = { labels: [], maxValues: 100, genaiSemconv: false };

describe('the primary instance of the metrics plugin', () => {
  const own = createMetrics();
  const answers = new Map<string, AdminHandler>();
  let instance: PrimaryInstance;
  before(async () => {
    instance = await plugin.primary!(options, createTestPrimaryServices({ metrics: own }));
    instance.admin?.({
      get: (path, answer) => void answers.set(path, answer),
      post: () => {},
      patch: () => {},
      delete: () => {},
      page: () => {},
      panel: () => {},
    });
  });
  const scrape = async () => {
    const { headers, body } = await answers.get('/metrics')!(adminRequest());
    expect(headers).to.deep.equal({ 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    return parseMetrics(body as string);
  };
  const countIn = (count: number) => {
    const metrics = createMetrics();
    metrics.counter('c_total', 'c', []).bind([])(count);
    metrics.gauge('g', 'g', [], 'sum').bind([])(count);
    return metrics.snapshot().then((snapshot) => ({ node: snapshot, tenants: [`acme/${count}`] }));
  };

  it('adds its calls to the admin listener', () => {
    expect([...answers.keys()]).to.deep.equal(['/admin/rates', '/metrics']);
  });

  it('merges its metrics with those of workers, sends them the names of all tenants, and keeps the counters of a worker that has exited', async () => {
    own.counter('c_total', 'c', []).bind([])(1);
    expect([instance.handle?.(await countIn(10), 1), instance.handle?.(await countIn(100), 2)]).to.deep.equal([
      ['acme/10'],
      ['acme/10', 'acme/100'],
    ]);
    const before = await scrape();
    instance.onWorkerExit?.(2);
    const after = await scrape();
    expect([sumOf(before, 'c_total'), sumOf(after, 'c_total'), sumOf(before, 'g'), sumOf(after, 'g')]).to.deep.equal([
      111, 111, 110, 10,
    ]);
  });

  it('serves metrics of the process', async () => {
    expect(sumOf(await scrape(), 'process_resident_memory_bytes')).to.be.greaterThan(1e6);
  });

  it('declines reports of its own process, so that nothing is counted twice', async () => {
    const before = sumOf(await scrape(), 'c_total');
    expect(instance.handle?.(await countIn(1_000), 0)).to.equal(false);
    expect(sumOf(await scrape(), 'c_total')).to.equal(before);
  });
});

describe('the options of the metrics plugin', () => {
  const accepts = new Ajv({ strict: true }).compile(plugin.schema);

  it('metrics accept project and organization as labels', () => {
    expect(
      [{}, { labels: ['project', 'organization'], maxValues: 10, genaiSemconv: true }, { labels: [] }].map((given) =>
        accepts(given),
      ),
    ).to.deep.equal([true, true, true]);
  });

  it('rejects keys as labels, repeated labels and a cap of 0 or above 300', () => {
    expect(
      [{ labels: ['key'] }, { labels: ['project', 'project'] }, { maxValues: 0 }, { maxValues: 301 }, { other: 1 }].map(
        (given) => accepts(given),
      ),
    ).to.deep.equal([false, false, false, false, false]);
  });
});
