import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 200 } as const;

describe('the fuzzer of commands', function () {
  this.timeout(240_000);

  it('finds nothing in random configurations of other gateways', async () => {
    const { findings, cases, outcomes } = await fuzz('importers', { ...bounded, cases: 40 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(10);
    expect([...outcomes.keys()]).to.include('exit 0');
  });
  it('finds an importer that throws, copies a secret, takes too long or writes what does not load', async () => {
    const { findings } = await fuzz('importers', { ...bounded, cases: 13, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [/an exception: TypeError/, /does not load/, /a secret in/, /ms of CPU time/])
      expect(found).to.match(fault);
  });
  it('finds nothing in random tables of keys and random usage reports', async () => {
    const { findings, cases, outcomes } = await fuzz('csv', { ...bounded, cases: 40 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(10);
    expect([...outcomes.keys()]).to.include.members(['exit 0', 'exit 2']);
  });
  it('finds an import that creates a part, names no place, shows a secret or throws, and formulas in reports', async () => {
    const { findings } = await fuzz('csv', { ...bounded, cases: 16, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
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
