import { expect } from 'chai';
import { vendorStateFit } from '../../../../core/fits/vendor-state.ts';
import { createProfile, createRequest, runFit } from '../samples.ts';

describe('vendor-state fit: tools', () => {
  const request = createRequest({
    tools: [
      { name: 'plain', kind: 'function', vendor: { own: true } },
      { name: 'found', kind: 'function', deferred: true },
      { name: 'hidden', kind: 'function', deferred: true, withheld: true },
      { name: 'gone', kind: 'hosted', withheld: true, vendor: { type: 'search' } },
      { name: 'added', kind: 'function', inline: true },
      { name: 'memory', kind: 'function', schema: {}, vendorType: 'memory_20250818', vendor: { own: true } },
    ],
  });

  it('offers a target on another wire what the vendor would offer, as ordinary tools', () => {
    const { request: fitted, losses } = runFit(vendorStateFit, request, createProfile());
    expect(fitted.tools).to.deep.equal([
      { name: 'plain', kind: 'function', vendor: { own: true } },
      { name: 'found', kind: 'function' },
      { name: 'added', kind: 'function' },
      { name: 'memory', kind: 'function', schema: {} },
    ]);
    expect(losses).to.deep.equal([
      { field: 'tools', kind: 'approximated', detail: 'memory_20250818: sent as functions with a schema' },
      { field: 'tools', kind: 'approximated', detail: 'hidden: deferred, and sent only when a search has found them' },
    ]);
  });

  it("leaves a target on the client's wire, and ordinary tools, as they are", () => {
    expect(runFit(vendorStateFit, request, createProfile({}, { wire: request.wire })).fitted).to.equal(undefined);
    const ordinary = createRequest({ tools: [{ name: 'plain', kind: 'function' }] });
    expect(runFit(vendorStateFit, ordinary, createProfile()).fitted).to.equal(undefined);
  });
});
