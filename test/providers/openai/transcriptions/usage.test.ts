import { expect } from 'chai';
import { readUsage } from '../../../../providers/openai/transcriptions/usage.ts';

describe('usage of transcriptions', () => {
  it('has the cost that a vendor reports, in dollars or in ticks', () => {
    for (const cost of [{ cost: 0.003_775_6 }, { cost_in_usd_ticks: 37_756_000 }]) {
      expect(readUsage({ type: 'duration', seconds: 5, ...cost }, 4)).to.deep.include({
        units: { seconds: 5 },
        reportedCost: 3_775_600,
      });
    }
    expect(readUsage({ type: 'duration', seconds: 5 }, 4)).not.to.have.property('reportedCost');
  });
});
