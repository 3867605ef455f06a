import { expect } from 'chai';
import { parseDuration, readDuration, formatDuration } from '../../../../core/config/units/duration.ts';

describe('durations', () => {
  const written = { '250ms': 250, '30s': 30_000, '0.5m': 30_000, '1h': 3_600_000, '31d': 2_678_400_000 };

  it('parses durations to milliseconds', () => {
    for (const [text, ms] of Object.entries(written))
      expect([parseDuration(text), readDuration(text)], text).to.deep.equal([ms, ms]);
  });

  it('readDuration refuses anything else, and shows the notation', () => {
    for (const text of ['', '5', '5 minutes', '-1s', '1s\n', 's', '1.s', 'month']) {
      expect(() => readDuration(text), text)
        .to.throw(/is not a duration\. Write a number with ms, s, m, h or d, such as 250ms, 30s or 5m\.$/)
        .with.property('code', 'KOINE_CONFIG_INVALID');
    }
  });

  it('formats milliseconds in the largest unit that is exact', () => {
    for (const [ms, text] of [
      [250, '250ms'],
      [90_000, '90s'],
      [60_000, '1m'],
      [5_400_000, '90m'],
      [86_400_000, '1d'],
      [2_678_400_000, '31d'],
    ] as const)
      expect([formatDuration(ms), parseDuration(text)], text).to.deep.equal([text, ms]);
  });
});
