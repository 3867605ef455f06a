import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 200 } as const;
const replies = [/: 500 /, /404 without a.*error in its body/, /a secret/];
const surfaces = [
  { name: 'scim', outcomes: ['200', '400'], faults: replies },
  { name: 'form', outcomes: ['200', '400'], faults: replies },
  { name: 'stored', outcomes: ['200', '404'], faults: replies },
  {
    name: 'socket',
    outcomes: ['close 1005'],
    faults: [/a secret in a message/, /an error with the status 500/, /a message without a type/],
  },
] as const;

describe('the fuzzer of SCIM, forms, stored responses and WebSockets', function () {
  this.timeout(240_000);

  for (const { name, outcomes: expected, faults } of surfaces) {
    it(`finds nothing in random input of ${name}`, async () => {
      const { findings, cases, outcomes } = await fuzz(name, { ...bounded, cases: 60 });
      expect(findings).to.deep.equal([]);
      expect(cases).to.be.greaterThan(20);
      expect([...outcomes.keys()]).to.include.members(expected);
    });
    it(`finds planted faults of ${name}`, async () => {
      const { findings } = await fuzz(name, { ...bounded, cases: 12, planted: true });
      const found = findings.map(({ what }) => what).join('\n');
      for (const fault of faults) expect(found).to.match(fault);
    });
  }
});
