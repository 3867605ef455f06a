import { expect } from 'chai';
import { mock } from 'node:test';
import { TenantNames } from '../../../plugins/metrics/tenant-names.ts';
import { WorkerReports, type WorkerReport } from '../../../plugins/metrics/worker-reports.ts';

/** Runs all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WorkerReports', () => {
  const reports: WorkerReport[] = [];
  let tenants: TenantNames;
  const warnings: string[] = [];
  let reply: () => Promise<unknown>;
  const log = { info: () => {}, warn: (_fields: object, text: string) => void warnings.push(text), error: () => {} };
  const start = (hasLabels = true) =>
    new WorkerReports(
      {
        log,
        primary: {
          call: (message) => {
            reports.push(message as WorkerReport);
            return reply();
          },
        },
      },
      hasLabels ? tenants : undefined,
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

  it('sends the metrics of Node every five seconds and at the end', async () => {
    const worker = start();
    for (let beat = 0; beat < 6; beat += 1) await second();
    await worker.stop();
    await second();
    expect(reports.map(({ node }) => node !== undefined)).to.deep.equal([true, false, false, false, false, true, true]);
    expect(reports[0]?.node?.map(({ name }) => name)).to.include('process_resident_memory_bytes');
  });

  it('without tenants as labels sends nothing in between', async () => {
    const worker = start(false);
    for (let beat = 0; beat < 6; beat += 1) await second();
    await worker.stop();
    expect(reports.map(({ node, tenants: own }) => [node !== undefined, own])).to.deep.equal([
      [true, []],
      [true, []],
      [true, []],
    ]);
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
