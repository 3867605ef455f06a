import { expect } from 'chai';
import { mock } from 'node:test';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { TenantNames } from '../../../plugins/metrics/tenant-names.ts';
import { WorkerReports, type WorkerReport } from '../../../plugins/metrics/worker-reports.ts';

/** Runs all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WorkerReports', () => {
  const reports: WorkerReport[] = [];
  let tenants: TenantNames;
  const warnings: string[] = [];
  let reply: () => Promise<unknown>;
  const metrics = createMetrics();
  const count = metrics.counter('c_total', 'c', []).bind([]);
  const log = { info: () => {}, warn: (_fields: object, text: string) => void warnings.push(text), error: () => {} };
  const start = () =>
    new WorkerReports(
      {
        metrics,
        log,
        primary: {
          call: (message) => {
            reports.push(message as WorkerReport);
            return reply();
          },
        },
      },
      tenants,
    );
  const second = async (): Promise<void> => {
    mock.timers.tick(1_000);
    await settle();
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    reports.length = 0;
    tenants = new TenantNames(10, false);
    warnings.length = 0;
    reply = () => Promise.resolve([]);
  });
  afterEach(() => mock.timers.reset());

  it('sends a report every second and at the end, with the metrics of the process', async () => {
    const worker = start();
    await second();
    count(1);
    await second();
    count(1);
    await worker.stop();
    await second();
    const seen = reports.map((report) => report.metrics.find(({ name }) => name === 'c_total')?.series[0]?.figures[0]);
    expect(seen).to.deep.equal([0, 1, 2]);
    expect(reports[0]?.metrics.map(({ name }) => name)).to.include('process_resident_memory_bytes');
  });

  it('gives no names to tenants before it has those of other workers, and sends its own', async () => {
    reply = () => Promise.resolve(['acme/web']);
    const worker = start();
    expect([tenants.count('acme/app'), tenants.count('acme/web')]).to.deep.equal([false, false]);
    await second();
    expect([tenants.count('acme/app'), tenants.count('acme/web')]).to.deep.equal([true, true]);
    await second();
    await worker.stop();
    expect(reports.map((report) => report.tenants)).to.deep.equal([
      [],
      ['acme/web', 'acme/app'],
      ['acme/web', 'acme/app'],
    ]);
  });

  it('stops when the primary instance declines a report', async () => {
    reply = () => Promise.resolve(false);
    start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect(reports).to.have.lengthOf(1);
  });

  it('sends no report while the previous one is pending', async () => {
    let respond: (value: unknown) => void = () => {};
    reply = () => new Promise((resolve) => (respond = resolve));
    const worker = start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect(reports).to.have.lengthOf(1);
    respond([]);
    await settle();
    await second();
    expect(reports).to.have.lengthOf(2);
    reply = () => Promise.resolve([]);
    await worker.stop();
  });

  it('a worker logs lost reports once and continues', async () => {
    reply = () => Promise.reject(new Error('the primary is down'));
    const worker = start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect([reports.length, warnings]).to.deep.equal([3, ['the metrics of this worker could not be reported']]);
    reply = () => Promise.resolve([]);
    await second();
    reply = () => Promise.reject(new Error('the primary is down'));
    await worker.stop();
    expect(warnings).to.have.lengthOf(2);
  });
});
