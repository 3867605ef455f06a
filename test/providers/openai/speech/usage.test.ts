import { expect } from 'chai';
import { measureUsage, readUsage } from '../../../../providers/openai/speech/usage.ts';

describe('usage of speech', () => {
  it('has the cost that a vendor reports, in dollars or in ticks', () => {
    const measured = measureUsage('Hello');
    for (const cost of [{ cost: 0.003_775_6 }, { cost_in_usd_ticks: 37_756_000 }]) {
      expect(readUsage(cost, measured), 'without tokens').to.deep.equal({ ...measured, reportedCost: 3_775_600 });
      expect(readUsage({ input_tokens: 2, output_tokens: 9, ...cost }, measured)).to.include({
        inputUncached: 2,
        outputAudio: 9,
        reportedCost: 3_775_600,
        source: 'provider',
      });
    }
    expect(readUsage({}, measured)).to.deep.equal(measured);
  });
});
