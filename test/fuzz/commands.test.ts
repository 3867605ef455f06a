import { expect } from 'chai';
import { fuzzClean } from './clean.ts';

describe('the fuzzer of commands', function () {
  this.timeout(480_000);

  it('finds nothing in random configurations, and then an importer that throws, copies a secret, takes too long or writes what does not load', async () => {
    const found = await fuzzClean('importers', { clean: 40, planted: 13, outcomes: ['exit 0'] });
    for (const fault of [/an exception: TypeError/, /does not load/, /a secret in/, /ms of CPU time/])
      expect(found).to.match(fault);
  });
  it('finds nothing in random tables and reports, and then an import that creates a part, names no place, shows a secret or throws, and formulas', async () => {
    const found = await fuzzClean('csv', { clean: 40, planted: 16, outcomes: ['exit 0', 'exit 2'] });
    for (const fault of [
      /keys were created in spite of/,
      /no place/,
      /an exception: TypeError/,
      /a secret in a message/,
      /a formula in a cell|rows for/,
    ])
      expect(found).to.match(fault);
  });
});
