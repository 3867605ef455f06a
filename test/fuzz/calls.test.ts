import { expect } from 'chai';
import { fuzzClean } from './clean.ts';

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
  this.timeout(480_000);

  for (const { name, outcomes: expected, faults } of surfaces) {
    it(`finds nothing in random input of ${name}, and then each planted fault`, async () => {
      const found = await fuzzClean(name, { clean: 60, planted: 12, outcomes: expected });
      for (const fault of faults) expect(found).to.match(fault);
    });
  }
});
