import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 200 } as const;

describe('the fuzzer of the sign-in', function () {
  this.timeout(240_000);

  it('finds nothing in random ends of sign-ins at a hostile provider', async () => {
    const { findings, cases, outcomes } = await fuzz('sign-in', { ...bounded, cases: 100 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(50);
    expect([...outcomes.keys()]).to.include.members(['200', '400', '403', 'form 303']);
  });
  it('finds sessions that nothing has granted, refused sign-ins, redirects to other sites, and injected text', async () => {
    const { findings } = await fuzz('sign-in', { ...bounded, cases: 150, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [
      /a session that the provider did not grant/,
      /an honest sign-in is refused/,
      /leads to https:\/\/evil\.example/,
      /leads to \/\/evil\.example/,
      /a header was injected/,
      /text of the request as HTML/,
    ])
      expect(found).to.match(fault);
  });
});
