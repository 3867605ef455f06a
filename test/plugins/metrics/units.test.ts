import { expect } from 'chai';
import type { Charge } from '../../../core/api/index.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { formatMetrics, mergeMetrics } from '../../../core/api/metrics.ts';
import { createUpstreamMeters } from '../../../plugins/metrics/upstream-meters.ts';
import { parseMetrics } from '../../support/parse-metrics.ts';
import { chargeOf, exchangeOf, one, outcomeOf, targetOf, usageOf } from '../ledger/setup.ts';

const count = async (charges: readonly Charge[]) => {
  const metrics = createMetrics();
  const meters = createUpstreamMeters(metrics);
  const exchange = exchangeOf();
  const head = { ...exchange, id: exchange.id, route: exchange.route };
  meters.end({ head, exchange, outcome: outcomeOf(charges) });
  const families = parseMetrics(await formatMetrics(mergeMetrics([await metrics.snapshot()])));
  return (families.get('koine_usage_units_total')?.samples ?? []).map(({ labels, value }) => [
    labels['provider'],
    labels['unit'],
    value,
  ]);
};

describe('koine_usage_units_total', () => {
  it('counts units by provider and unit, and none that are 0', async () => {
    const first = usageOf(1, 1, { units: { webSearches: 2, webFetches: 0, seconds: 1.5 } });
    const second = usageOf(1, 1, { units: { images: 4 } });
    expect(await count([chargeOf(one, first), chargeOf(targetOf('other/two'), second, 1)])).to.have.deep.members([
      ['vendor', 'web_searches', 2],
      ['vendor', 'seconds', 1.5],
      ['other', 'images', 4],
    ]);
  });

  it('has no series for usage without units', async () =>
    expect(await count([chargeOf(one, usageOf(1, 1))])).to.deep.equal([]));
});
