import { expect } from 'chai';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

/** The run of every test; `npm run fuzz` plays other seeds for as long as it is given. */
const bounded = { seed: 20_261_122, seconds: 400 } as const;

describe('the fuzzer of requests and upstream responses', function () {
  this.timeout(480_000);

  it('the fuzzer finds nothing in random requests of every wire and operation', async () => {
    const { findings, cases, outcomes } = await fuzz('requests', { ...bounded, cases: 600 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(100);
    expect([...outcomes.keys()]).to.include.members(['200', '400']);
  });
  it('the fuzzer finds nothing in random responses of upstreams of every wire', async () => {
    const { findings, cases, outcomes } = await fuzz('answers', { ...bounded, cases: 250 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(50);
    expect([...outcomes.keys()]).to.include.members(['200', '502']);
  });
  it('the fuzzer finds a blocked event loop, an internal error, output on standard error and retained memory', async () => {
    const { findings } = await fuzz('requests', { ...bounded, cases: 330, planted: true });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [/the event loop was blocked/, /\b500: /, /a planted line/, /the heap grew|the program exited/])
      expect(found).to.match(fault);
  });
});
