import { expect } from 'chai';
import { readKeyChange, readKeyRequest } from '../../../../core/config/validate/read-key.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';

const refuse = (value: unknown, read: (value: unknown) => object = readKeyRequest): GatewayError => {
  try {
    read(value);
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
      tags: { team: 'search' },
      metadata: { owner: 'Ann Müller', 'cost-center': '4711' },
      owner: 'Ann Müller',
      expires: '2027-01-31',
    });
    expect(readKeyRequest(value)).to.deep.equal({
      name: 'a.b_c@d-1',
      organization: 'acme',
      project: 'web',
      models: ['openai/*'],
      limits: [{ unit: 'requests', amount: 60, per: 60_000, models: [], enforce: true }],
      losses: 'reject',
      tags: { team: 'search' },
      metadata: { owner: 'Ann Müller', 'cost-center': '4711' },
      owner: 'Ann Müller',
      expiresAt: Date.UTC(2027, 0, 31),
    });
  });

  it('distinguishes an empty list of limits from inherited limits', () => {
    expect(readKeyRequest({ name: 'alice', limits: [] }))
      .to.have.property('limits')
      .that.deep.equals([]);
    expect(readKeyRequest({ name: 'alice' })).to.not.have.property('limits');
  });

  it('accepts the end of a key under the name that the list of keys has', () =>
    expect(readKeyRequest({ name: 'alice', expiresAt: '2027-01-31T00:00:00.000Z' }).expiresAt).to.equal(
      Date.UTC(2027, 0, 31),
    ));

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
    [{ name: 'alice', expires: '2027-01-31', expiresAt: '2027-01-31' }, 'expires', /the same setting/],
    [{ name: 'alice', tags: { team: 'a,b' } }, 'tags.team', /must look like search/],
    [{ name: 'alice', tags: { 'my.team': 'a' } }, 'tags["my.team"]', /must look like team/],
    [{ name: 'alice', metadata: { owner: 7 } }, 'metadata.owner', /must be text/],
    [{ name: 'alice', metadata: { owner: 'a\nb' } }, 'metadata.owner', /must look like one line of text/],
    [{ name: 'alice', metadata: { owner: 'x'.repeat(513) } }, 'metadata.owner', /more than 512 characters/],
    [{ name: 'alice', owner: 'a\nb' }, 'owner', /must look like ann@acme.example/],
    [{ name: 'alice', owner: 'x'.repeat(129) }, 'owner', /must look like ann@acme.example/],
    [{ name: 'alice', owner: 'sk-a-secret-0123456789' }, 'owner', /looks like a secret/],
    [{ name: 'a'.repeat(129) }, 'name', /more than 128 characters/],
    [{ name: 'alice', models: ['a'.repeat(257)] }, 'models[0]', /more than 256 characters/],
    [{ name: 'alice', models: Array(1_001).fill('a') }, 'models', /more than 1000 items/],
    [{ name: 'alice', ownerId: 'x' }, 'ownerId', /./],
    [{ name: 'alice', metadata: { token: 'sk-a-secret-0123456789' } }, 'metadata.token', /looks like a secret/],
  ];
  for (const [value, param, message] of bad)
    it(`refuses ${JSON.stringify(value) ?? 'undefined'}, with ${param ?? 'no'} as its param`, () => {
      const error = refuse(value);
      expect(error.code).to.equal('invalid_request');
      expect(error.param).to.equal(param);
      expect(error.message).to.match(message).and.not.include('a-secret');
    });
});

describe('readKeyChange', () => {
  it('has only the members that were given, and null for those to be removed', () => {
    expect(readKeyChange({ limits: [{ cost: 5, per: 'month' }], models: null, expiresAt: null })).to.deep.equal({
      limits: [{ unit: 'cost', amount: 5e9, per: 'month', models: [], enforce: true }],
      models: null,
      expiresAt: null,
    });
    expect(readKeyChange({ disabled: true, expires: null })).to.deep.equal({ disabled: true, expiresAt: null });
    expect(readKeyChange({})).to.deep.equal({});
  });

  const bad: readonly (readonly [value: unknown, param: string | undefined, message: RegExp])[] = [
    [undefined, undefined, /must be a JSON object/],
    [[], undefined, /must be a JSON object/],
    [{ organization: 'acme' }, 'organization', /cannot be changed\. Create a key there/],
    [{ name: null }, 'name', /is empty, but must be text/],
    [{ disabled: null }, 'disabled', /must be true or false/],
    [{ secret: null }, 'secret', /"secret" is not a setting/],
    [{ limits: [{ request: 60, per: '1m' }] }, 'limits[0].request', /Did you mean "requests"/],
    [{ models: 'openai/*' }, 'models', /must be a list/],
  ];
  for (const [value, param, message] of bad)
    it(`refuses ${JSON.stringify(value) ?? 'undefined'} as a change`, () => {
      const error = refuse(value, readKeyChange);
      expect([error.code, error.param]).to.deep.equal(['invalid_request', param]);
      expect(error.message).to.match(message);
    });
});
