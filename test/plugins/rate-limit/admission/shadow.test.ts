import { expect } from 'chai';
import { createExchange, createLimiter, limit } from '../setup.ts';

describe('rate-limit: shadow limits', () => {
  it('a shadow limit refuses nothing, and counts and logs what it would have refused, once a minute', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 2, { enforce: false })] });
    for (let times = 0; times < 5; times += 1) await limiter.admit();
    expect(limiter.metrics.get('decisions_total{key;requests;1m,requests,allow,local}')).to.equal(2);
    expect(limiter.metrics.get('decisions_total{key;requests;1m,requests,shadow,local}')).to.equal(3);
    expect(limiter.lines).to.deep.equal([
      {
        level: 'info',
        text: 'a shadow limit would have refused a request',
        fields: { limit: 'key;requests;1m', key: 'alice', project: 'web', organization: 'acme', suppressed: 0 },
      },
    ]);
    limiter.clock.advance(60_000);
    await limiter.admit();
    expect(limiter.lines.slice(1).map(({ fields }) => fields['suppressed'])).to.deep.equal([2]);
  });

  it('a shadow limit is counted apart from a limit of the same kind', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 3), limit('requests', 1, { enforce: false })] });
    for (let times = 0; times < 3; times += 1) await limiter.admit();
    expect((await limiter.refused()).message).to.include('3 requests per 1m');
    expect(limiter.metrics.get('decisions_total{key;requests;1m,requests,shadow,local}')).to.equal(2);
  });

  it('a shadow limit is not shown to the caller', async () => {
    const limiter = await createLimiter({ key: [limit('requests', 2, { enforce: false })] });
    expect((await limiter.admit(createExchange()))?.limits).to.equal(undefined);
  });
});
