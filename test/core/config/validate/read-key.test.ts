import { expect } from 'chai';
import { readKeyRequest } from '../../../../core/config/validate/read-key.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';

const refuse = (value: unknown): GatewayError => {
  try {
    readKeyRequest(value);
  } catch (thrown) {
    if (GatewayError.is(thrown)) return thrown;
    throw thrown;
  }
  throw new Error(`${JSON.stringify(value)} was accepted as a key`);
};

describe('readKeyRequest', () => {
  it('requires only a name, and fills in the defaults of a key', () => {
    expect(readKeyRequest({ name: 'alice' })).to.deep.equal({
      name: 'alice',
      organization: 'default',
      project: 'default',
      models: [],
    });
  });

  it('accepts every setting of a key of the configuration', () => {
    const value = Object.freeze({
      name: 'a.b_c@d-1',
      organization: 'acme',
      project: 'web',
      models: ['openai/*'],
      limits: [{ requests: 60, per: '1m' }],
      losses: 'reject',
      expires: '2027-01-31',
    });
    expect(readKeyRequest(value)).to.deep.equal({
      name: 'a.b_c@d-1',
      organization: 'acme',
      project: 'web',
      models: ['openai/*'],
      limits: [{ unit: 'requests', amount: 60, per: 60_000, models: [], enforce: true }],
      losses: 'reject',
      expires: Date.UTC(2027, 0, 31),
    });
  });

  it('distinguishes an empty list of limits from inherited limits', () => {
    expect(readKeyRequest({ name: 'alice', limits: [] }))
      .to.have.property('limits')
      .that.deep.equals([]);
    expect(readKeyRequest({ name: 'alice' })).to.not.have.property('limits');
  });

  const bad: readonly (readonly [value: unknown, param: string | undefined, message: RegExp])[] = [
    [undefined, undefined, /must be a mapping/],
    [[], undefined, /must be a mapping/],
    ['alice', undefined, /must be a mapping/],
    [{}, 'name', /needs "name"/],
    [{ name: '' }, 'name', /must look like/],
    [{ name: '../x' }, 'name', /must look like/],
    [{ name: 'alice\n' }, 'name', /must look like/],
    [{ name: 'alice', project: 'a b' }, 'project', /must look like/],
    [{ name: 'alice', organization: 7 }, 'organization', /must be text/],
    [{ name: 'alice', modles: [] }, 'modles', /"modles" is not a setting.*"models"/],
    [{ name: 'alice', key: 'a-secret' }, 'key', /not a setting/],
    [{ name: 'alice', models: 'openai/*' }, 'models', /must be a list/],
    [{ name: 'alice', models: ['a', ''] }, 'models[1]', /must not be empty/],
    [{ name: 'alice', losses: 'rejct' }, 'losses', /Did you mean "reject"/],
    [{ name: 'alice', limits: [{ request: 60, per: '1m' }] }, 'limits[0].request', /Did you mean "requests"/],
    [{ name: 'alice', limits: [{ requests: 60 }] }, 'limits[0]', /needs "per"/],
    [{ name: 'alice', expires: '31.1.2027' }, 'expires', /must look like 2027-01-31/],
    [{ name: 'alice', expires: '2027-02-30' }, 'expires', /not a valid date or time/],
  ];
  for (const [value, param, message] of bad)
    it(`refuses ${JSON.stringify(value) ?? 'undefined'}, with ${param ?? 'no'} as its param`, () => {
      const error = refuse(value);
      expect(error.code).to.equal('invalid_request');
      expect(error.param).to.equal(param);
      expect(error.message).to.match(message).and.not.include('a-secret');
    });
});
