import { expect } from 'chai';
import { mock } from 'node:test';
import type { MetricsSnapshot } from '../../../core/index.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { startReports } from '../../../plugins/metrics/report.ts';

/** Lets everything that is ready run. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('metrics: the reports of a worker', () => {
  const reports: MetricsSnapshot[] = [];
  const warnings: string[] = [];
  let answer: () => Promise<unknown>;
  const metrics = createMetrics();
  const count = metrics.counter('c_total', 'c', []).bind([]);
  const log = { info: () => {}, warn: (_fields: object, text: string) => void warnings.push(text), error: () => {} };
  const start = () =>
    startReports({
      metrics,
      log,
      primary: {
        call: (message) => {
          reports.push(message as MetricsSnapshot);
          return answer();
        },
      },
    });
  const second = async (): Promise<void> => {
    mock.timers.tick(1_000);
    await breathe();
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    reports.length = 0;
    warnings.length = 0;
    answer = () => Promise.resolve(true);
  });
  afterEach(() => mock.timers.reset());

  it('come every second and at the end, with all of the process', async () => {
    const { stop } = start();
    await second();
    count(1);
    await second();
    count(1);
    await stop();
    await second();
    const seen = reports.map((report) => report.find(({ name }) => name === 'c_total')?.series[0]?.figures[0]);
    expect(seen).to.deep.equal([0, 1, 2]);
    expect(reports[0]?.map(({ name }) => name)).to.include('process_resident_memory_bytes');
  });

  it('end where they are not wanted', async () => {
    answer = () => Promise.resolve(false);
    start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect(reports).to.have.lengthOf(1);
  });

  it('wait for the one before', async () => {
    let give: (value: unknown) => void = () => {};
    answer = () => new Promise((resolve) => (give = resolve));
    const { stop } = start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect(reports).to.have.lengthOf(1);
    give(true);
    await breathe();
    await second();
    expect(reports).to.have.lengthOf(2);
    answer = () => Promise.resolve(true);
    await stop();
  });

  it('say once that they are lost, and go on', async () => {
    answer = () => Promise.reject(new Error('nobody there'));
    const { stop } = start();
    for (let beat = 0; beat < 3; beat += 1) await second();
    expect([reports.length, warnings]).to.deep.equal([3, ['the metrics of this worker could not be reported']]);
    answer = () => Promise.resolve(true);
    await second();
    answer = () => Promise.reject(new Error('nobody there'));
    await stop();
    expect(warnings).to.have.lengthOf(2);
  });
});
