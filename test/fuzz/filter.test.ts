import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 400 } as const;

describe('the fuzzer of the content filter', function () {
  this.timeout(480_000);

  it('finds nothing in random patterns and texts, and in requests with sensitive texts in random places', async () => {
    const { findings, cases, outcomes } = await fuzz('filter', { ...bounded, cases: 300 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(50);
    expect([...outcomes.keys()]).to.include.members(['200', 'planted 200']);
  });
  it('finds requests, responses and streams that are not redacted as JavaScript would', async () => {
    const { findings } = await fuzz('filter', { ...bounded, cases: 80, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [/^a request, /m, /^a response, /m, /^a stream, /m, /^the upstream got /m])
      expect(found).to.match(fault);
  });
});
