import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 400 } as const;

describe('the fuzzer of tokens of callers', function () {
  this.timeout(480_000);

  it('finds nothing in random tokens', async () => {
    const { findings, cases, outcomes } = await fuzz('jwt', { ...bounded, cases: 300 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(50);
    expect([...outcomes.keys()]).to.include.members(['200', '401']);
  });
  it('finds no more than a call now and then to an issuer that never responds', async () => {
    const { findings, outcomes } = await fuzz('jwt', { ...bounded, cases: 150, from: 2_000 });
    expect(findings).to.deep.equal([]);
    expect([...outcomes.keys()]).to.include('503');
  });
  it('finds accepted forgeries, failures for valid tokens, and calls to a server that a token names', async () => {
    const { findings } = await fuzz('jwt', { ...bounded, cases: 300, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [/a token is accepted that is not valid/, /^5\d\d/m, /a call to a server that a token names/])
      expect(found).to.match(fault);
  });
});
