import { expect } from 'chai';
import { PerformanceObserver } from 'node:perf_hooks';
import { readProcessMetrics } from '../../../../core/api/metrics.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import { recordBuild, recordConfig } from '../../../../core/services/metrics/build-info.ts';
import { scrapeMetrics, sumOf } from '../../../support/parse-metrics.ts';

describe('metrics of the process', () => {
  it('the metrics include those of Node and the system, in valid text format', async () => {
    const families = await scrapeMetrics(await readProcessMetrics());
    expect(sumOf(families, 'process_resident_memory_bytes')).to.be.greaterThan(1e6);
    expect(sumOf(families, 'process_start_time_seconds')).to.be.within(
      Date.now() / 1_000 - 86_400,
      Date.now() / 1_000 + 2,
    );
    expect(families.get('nodejs_version_info')?.samples[0]?.labels).to.include({
      version: process.version,
      major: process.versions.node.split('.')[0],
    });
    expect(families.get('nodejs_heap_space_size_used_bytes')?.samples.map(({ labels }) => labels['space'])).to.include(
      'old',
    );
    expect(families.get('nodejs_eventloop_lag_p99_seconds')?.type).to.equal('gauge');
  });

  it('reads process metrics with one set of observers however often they are read', async () => {
    const observe = PerformanceObserver.prototype.observe;
    let observers = 0;
    PerformanceObserver.prototype.observe = function count(...options) {
      observers += 1;
      return observe.apply(this, options);
    };
    try {
      for (let read = 0; read < 3; read += 1) await readProcessMetrics();
    } finally {
      PerformanceObserver.prototype.observe = observe;
    }
    expect(observers).to.be.at.most(1);
  });

  it('counts garbage collections in a complete histogram', async () => {
    await readProcessMetrics();
    for (let round = 0; round < 50; round += 1) Array.from({ length: 100_000 }, () => ({}));
    for (let waited = 0; waited < 800; waited += 1) {
      const families = await scrapeMetrics(await readProcessMetrics());
      if (sumOf(families, 'nodejs_gc_duration_seconds_count') > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect.fail('no collection was counted');
  });

  it('shows the worst event-loop delay of several processes', async () => {
    const one = await readProcessMetrics();
    const slow = one.map((metric) =>
      metric.name === 'nodejs_eventloop_lag_p99_seconds'
        ? { ...metric, series: [{ labels: {}, figures: [30] }] }
        : metric,
    );
    expect(sumOf(await scrapeMetrics(one, slow), 'nodejs_eventloop_lag_p99_seconds')).to.equal(30);
  });

  it('the metrics include the build and the configuration', async () => {
    const metrics = createMetrics();
    recordBuild(metrics);
    recordConfig(metrics, 'an earlier one');
    recordConfig(metrics, 'abc123');
    const families = await scrapeMetrics(await metrics.snapshot());
    expect(families.get('koine_build_info')?.samples).to.have.lengthOf(1);
    expect(families.get('koine_build_info')?.samples[0]?.labels).to.have.all.keys('version', 'commit', 'node');
    expect(families.get('koine_config_info')?.samples).to.deep.equal([
      { name: 'koine_config_info', labels: { hash: 'abc123' }, value: 1 },
    ]);
  });
});
