import { expect } from 'chai';
import { parseDuration, readDuration } from '../../../core/config/duration.ts';

describe('durations', () => {
  const written = { '250ms': 250, '30s': 30_000, '0.5m': 30_000, '1h': 3_600_000, '31d': 2_678_400_000 };

  it('are milliseconds', () => {
    for (const [text, ms] of Object.entries(written)) expect([parseDuration(text), readDuration(text)], text).to.deep.equal([ms, ms]);
  });

  it('that nothing has checked are refused with the notation', () => {
    for (const text of ['', '5', '5 minutes', '-1s', '1s\n', 's', '1.s', 'month']) {
      expect(() => readDuration(text), text).to.throw(/is not a length of time; write a number and ms, s, m, h or d, like 250ms, 30s or 5m\.$/).with.property('code', 'KOINE_CONFIG_INVALID');
    }
  });
});
