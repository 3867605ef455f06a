import { expect } from 'chai';
import { decode } from '../../exchange.ts';

describe('speed of a messages request', () => {
  it('the standard speed is that of other vendors, so that leaving it out is no loss', () => {
    const { serviceTier, extra } = decode({ speed: 'standard', service_tier: 'standard_only' });
    expect(serviceTier).to.equal('standard_only');
    expect(extra).to.deep.equal({ wire: 'messages', members: { speed: 'standard' }, honoured: ['speed'] });
  });

  it('fast mode is the priority tier of other vendors, unless the request has a tier of its own', () => {
    const fast = decode({ speed: 'fast' });
    expect(fast.serviceTier).to.equal('priority');
    expect(fast.extra.honoured).to.deep.equal(['speed']);
    const own = decode({ speed: 'fast', service_tier: 'standard_only' });
    expect(own.serviceTier).to.equal('standard_only');
    expect(own.extra.honoured).to.equal(undefined);
  });
});
