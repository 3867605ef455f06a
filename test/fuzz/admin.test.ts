import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

const bounded = { seed: 20_261_127, seconds: 400 } as const;

describe('the fuzzer of the admin API', function () {
  this.timeout(480_000);

  it('finds nothing in random calls of the admin API by callers of every role', async () => {
    const { findings, cases, outcomes } = await fuzz('admin', { ...bounded, cases: 150 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(30);
    expect([...outcomes.keys()]).to.include.members(['200', '400', '401', '403']);
  });
  it('finds calls that fail, block, show a page or a secret, need too little of a role, or refuse after a change', async () => {
    const { findings } = await fuzz('admin', { ...bounded, cases: 160, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [
      /planted\/throws.*: 500/,
      /planted\/page.*without an error in its body/,
      /planted\/secret.*a secret in the response/,
      /planted\/role.* as (?:developer|viewer|editor): 200 needs the role admin/,
      /the event loop was blocked/,
      /planted\/change.*has changed keys/,
    ])
      expect(found).to.match(fault);
  });
});
