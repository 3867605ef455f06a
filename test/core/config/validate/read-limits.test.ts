import { expect } from 'chai';
import { readLimits } from '../../../../core/config/validate/read-limits.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';

const refuse = (value: unknown, place = 'limits'): Pick<GatewayError, 'code' | 'message' | 'param'> => {
  try {
    readLimits(value, place);
  } catch (thrown) {
    if (GatewayError.is(thrown)) return { code: thrown.code, message: thrown.message, param: thrown.param ?? '' };
    throw thrown;
  }
  throw new Error('nothing was thrown');
};

describe('readLimits', () => {
  const all = { models: [], enforce: true };

  it('resolves limits from the form of the file', () => {
    const written = [
      { requests: 60, per: '1m' },
      { cost: 500, per: 'week', soft: [0.95, 0.8] },
      { tokens: 1_000_000, per: '24h', burst: 5_000, models: ['openai/*'], enforce: false, onStoreFailure: 'deny' },
      { inputTokens: 5, per: '1500ms' },
      { outputTokens: 5, per: '31d' },
      { cost: 0.1, per: 'month' },
      { concurrent: 8 },
    ];
    expect(readLimits(written, 'limits')).to.deep.equal([
      { unit: 'requests', amount: 60, per: 60_000, ...all },
      { unit: 'cost', amount: 500_000_000_000, per: 'week', soft: [0.8, 0.95], models: [], enforce: true },
      {
        unit: 'tokens',
        amount: 1_000_000,
        per: 86_400_000,
        burst: 5_000,
        models: ['openai/*'],
        enforce: false,
        onStoreFailure: 'deny',
      },
      { unit: 'inputTokens', amount: 5, per: 1_500, ...all },
      { unit: 'outputTokens', amount: 5, per: 2_678_400_000, ...all },
      { unit: 'cost', amount: 100_000_000, per: 'month', ...all },
      { unit: 'concurrent', amount: 8, ...all },
    ]);
    expect(readLimits([], 'limits')).to.deep.equal([]);
  });

  it('reading limits does not modify the input', () => {
    const written = [Object.freeze({ requests: 60, per: '1m' })];
    readLimits(Object.freeze(written), 'limits');
    expect(written).to.deep.equal([{ requests: 60, per: '1m' }]);
  });

  const wrong: readonly (readonly [value: unknown, param: string, message: RegExp])[] = [
    [undefined, 'limits', /^limits must be a list/],
    [null, 'limits', /^limits is empty/],
    [{ requests: 60, per: '1m' }, 'limits', /^limits must be a list, not a mapping\./],
    [[60], 'limits[0]', /^limits\[0\] must be a mapping, not a number\.$/],
    [
      [{ concurrent: 3 }, { request: 60, per: '1m' }],
      'limits[1].request',
      /^"request" is not a setting of limits\[1\]\. Did you mean "requests"\?$/,
    ],
    [[{ requests: 60, requets: 3, per: '1m' }], 'limits[0].requets', /^"requets" is not a setting of limits\[0\]\.$/],
    [[{ requests: '60', per: '1m' }], 'limits[0].requests', /must be a whole number, not text/],
    [[{ requests: 1.5, per: '1m' }], 'limits[0].requests', /must be a whole number, not a fractional number\./],
    [[{ cost: Number.NaN, per: 'day' }], 'limits[0].cost', /must be a number, not NaN\./],
    [[{ requests: 60, per: 60 }], 'limits[0].per', /must be text like 1m, 24h or month, not a number\./],
    [[{ requests: 0, per: '1m' }], 'limits[0].requests', /at least 1/],
    [[{ requests: 60 }], 'limits[0]', /needs "per"/],
    [[{ requests: 60, per: 'day' }], 'limits[0].per', /Use 24h\.$/],
    [[{ requests: 60, per: 'soon' }], 'limits[0].per', /must look like 1m, 24h or month/],
    [[{ cost: 1e-10, per: 'day' }], 'limits[0].cost', /nano-dollar/],
    [[{ concurrent: 3 }, { concurrent: 4 }], 'limits[1]', /has the same unit, window and models as limits\[0\]/],
    [[{ cost: 5, per: 'day', soft: [80] }], 'limits[0].soft[0]', /less than 1/],
    [[{ cost: 5, per: 'day', soft: [] }], 'limits[0].soft', /at least 1|empty/],
    [[{ requests: 5, per: '1m', soft: [0.8] }], 'limits[0].soft', /has no effect/],
    [[{ concurrent: 3, enforce: 'no' }], 'limits[0].enforce', /true or false/],
    [[{ concurrent: 3, models: 'openai/*' }], 'limits[0].models', /must be a list/],
    [[{ concurrent: 3, onStoreFailure: 'alow' }], 'limits[0].onStoreFailure', /Did you mean "allow"\?$/],
    [JSON.parse('[{ "concurrent": 3, "__proto__": { "enforce": false } }]'), 'limits[0].__proto__', /is not a setting/],
    [JSON.parse('[{ "constructor": 3 }]'), 'limits[0].constructor', /is not a setting/],
  ];
  for (const [value, param, message] of wrong) {
    it(`refuses ${JSON.stringify(value)} with the path of the mistake`, () => {
      const refused = refuse(value);
      expect(refused).to.include({ code: 'invalid_request', param });
      expect(refused.message).to.match(message);
    });
  }

  it('starts the path of a mistake with the given place', () => {
    expect(refuse([{ requests: 1 }], 'keys.alice.limits')).to.include({ param: 'keys.alice.limits[0]' });
  });

  it('reading limits reports at most five mistakes', () => {
    expect(refuse(Array.from({ length: 1_000 }, () => 1)).message.match(/must be a mapping/g)).to.have.length(5);
  });
});
