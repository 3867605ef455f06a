import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { fuzz } from '../../fuzz/fuzz.ts';

/** The run of every test; `npm run fuzz` plays other seeds for as long as it is given. */
const bounded = { seed: 20_261_122, seconds: 60 } as const;

describe('the fuzzer', function () {
  this.timeout(240_000);

  it('the fuzzer finds nothing in random requests of every wire and operation', async () => {
    const { findings, cases, statuses } = await fuzz({ ...bounded, direction: 'requests', cases: 600 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(100);
    expect([...statuses.keys()]).to.include.members([200, 400]);
  });
  it('the fuzzer finds nothing in random responses of upstreams of every wire', async () => {
    const { findings, cases, statuses } = await fuzz({ ...bounded, direction: 'answers', cases: 250 });
    expect(findings).to.deep.equal([]);
    expect(cases).to.be.greaterThan(50);
    expect([...statuses.keys()]).to.include.members([200, 502]);
  });
  it('the fuzzer finds a blocked event loop, an internal error, output on standard error and retained memory', async () => {
    const plugin = fileURLToPath(new URL('../fixtures/extensions/planted-faults/index.ts', import.meta.url));
    const { findings } = await fuzz({ ...bounded, direction: 'requests', cases: 450, plugin });
    const found = findings.map(({ what }) => what).join('\n');
    for (const fault of [/the event loop was blocked/, /\b500: /, /a planted line/, /the heap grew|the gateway exited/])
      expect(found).to.match(fault);
  });
});
