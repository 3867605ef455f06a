import { expect } from 'chai';
import type { ListedLimit } from '../../../plugins/dashboard/page/data/limits.js';
import { forecast } from '../../../plugins/dashboard/page/data/tenants/forecast.js';

const budget = (more: Partial<ListedLimit>): ListedLimit => ({
  scope: 'organization',
  organization: 'acme',
  unit: 'cost',
  per: 'month',
  models: [],
  enforce: true,
  limit: 300,
  ...more,
});
const at = (text: string): number => Date.parse(text);
const leftOf = (now: number, end: string): number => at(end) - now;

describe('the forecast of a budget', () => {
  const now = at('2026-11-11T00:00:00Z');
  const resetMs = leftOf(now, '2026-12-01T00:00:00Z');

  it('is the day on which it is spent at the rate of its window', () => {
    // 200 in ten days: the last 100 take five.
    const { spentAt, total } = forecast(budget({ used: 200, resetMs }), now) ?? { total: 0 };
    expect(new Date(spentAt ?? 0).toISOString()).to.equal('2026-11-16T00:00:00.000Z');
    expect(total).to.be.closeTo(600, 1e-6);
  });

  it('is what it comes to if it lasts', () => {
    const expected = forecast(budget({ used: 50, resetMs }), now);
    expect(expected).to.not.have.property('spentAt');
    expect(expected?.total).to.be.closeTo(150, 1e-6);
  });

  it('knows the length of each calendar window', () => {
    const noon = at('2026-11-11T12:00:00Z');
    const total = (per: string, end: string): number | undefined =>
      forecast(budget({ per, used: 10, resetMs: leftOf(noon, end) }), noon)?.total;
    expect(total('day', '2026-11-12T00:00:00Z')).to.be.closeTo(20, 1e-6);
    expect(total('week', '2026-11-16T00:00:00Z')).to.be.closeTo(28, 1e-6);
    const half = at('2026-11-11T12:30:00Z');
    const hour = budget({ per: 'hour', used: 10, resetMs: leftOf(half, '2026-11-11T13:00:00Z') });
    expect(forecast(hour, half)?.total).to.be.closeTo(20, 1e-6);
  });

  it('is missing at the start of a window, for a budget that is spent or unused, and for other limits', () => {
    const early = at('2026-11-02T00:00:00Z');
    const left = leftOf(early, '2026-12-01T00:00:00Z');
    for (const [limit, time] of [
      [budget({ used: 50, resetMs: left }), early],
      [budget({ used: 300, resetMs }), now],
      [budget({ used: 0, resetMs }), now],
      [budget({ resetMs }), now],
      [budget({ unit: 'requests', per: '1h', used: 50, resetMs }), now],
    ] as const)
      expect(forecast(limit, time)).to.equal(undefined);
  });
});
