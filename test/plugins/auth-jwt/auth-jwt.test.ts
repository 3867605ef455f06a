import { expect } from 'chai';
import { SignJWT, UnsecuredJWT } from 'jose';
import { type Caller, type PluginInstance, GatewayError } from '../../../core/api/index.ts';
import { createTestHead, createTestLog, createTestServices } from '../../../core/testing/index.ts';
import { fetchService } from '../../../core/services/network/fetch.ts';
import { createSharedResources } from '../../../core/services/shared-resources.ts';
import plugin from '../../../plugins/auth-jwt/index.ts';
import { spaceOf, type JwtOptions } from '../../../plugins/auth-jwt/options.ts';
import { startIssuer, type Issuer } from './issuer.ts';

const MINUTE = 60_000;

describe('callers with a JWT', () => {
  let issuer: Issuer;
  const log = createTestLog();
  let passed = 0;
  // Whole, so that sums with it are exact.
  const start = Math.floor(performance.now());
  const clock = { now: () => Date.now() + passed, monotonic: () => start + passed };
  beforeEach(async () => {
    passed = 0;
    log.lines.length = 0;
    issuer = await startIssuer();
  });
  afterEach(() => issuer.stop());

  const create = async (more: Partial<JwtOptions> = {}): Promise<PluginInstance> => {
    const options: JwtOptions = {
      issuer: issuer.url,
      audience: 'koine-api',
      algorithms: ['RS256', 'ES256'],
      clockSkew: '30s',
      claims: { key: 'sub' },
      defaults: {},
      ...more,
    };
    const { shared } = createSharedResources().createHolder();
    return plugin.create(options, createTestServices({ clock, log, shared, fetch: fetchService }));
  };
  const named = (name: string): string => `jwt:${issuer.url.replace('http://', 'http~')}:${name}`;
  const identify = async (
    instance: PluginInstance,
    token: string,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${token}` },
  ): Promise<Caller | undefined> => instance.identify?.(createTestHead({ headers }));
  const refusalOf = async (instance: PluginInstance, token: string): Promise<readonly [number, string]> => {
    try {
      return [200, JSON.stringify(await identify(instance, token))];
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      return [thrown.status, thrown.message];
    }
  };

  it('identifies the caller of a token, wherever clients send keys', async () => {
    const instance = await create();
    const token = await issuer.sign();
    const dora = { key: named('dora'), organization: 'default', project: 'default', models: [], user: named('dora') };
    const places: readonly Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token}` },
      { 'x-api-key': token },
      { 'x-alt-api-key': token },
      { 'x-goog-api-key': token, 'authorization': 'Bearer ' },
    ];
    for (const headers of places) expect(await identify(instance, token, headers)).to.deep.equal(dora);
    expect(issuer.fetches).to.equal(1);
  });

  it('maps claims to organization, project, user, models and limits', async () => {
    const instance = await create({
      claims: {
        key: 'https://acme.example/key',
        organization: 'team.organization',
        project: 'team.project',
        user: 'email',
        models: 'models',
        limits: 'limits',
      },
    });
    const claims = {
      'https://acme.example/key': 'dora@acme.example',
      'team': { organization: 'acme', project: 'web' },
      'email': 'Dora@acme.example',
      'email_verified': true,
      'models': ['openai/*', 'anthropic/claude-*'],
      'limits': [{ requests: 60, per: '1m' }],
    };
    expect(await identify(instance, await issuer.sign(claims))).to.deep.include({
      key: named('dora@acme.example'),
      organization: 'acme',
      project: 'web',
      user: named('Dora@acme.example'),
      models: ['openai/*', 'anthropic/claude-*'],
    });
    const { limits } = (await identify(instance, await issuer.sign({ ...claims, models: 'openai/* house/a' }))) ?? {};
    expect(limits?.map(({ unit, amount, per }) => [unit, amount, per])).to.deep.equal([['requests', 60, MINUTE]]);
    for (const [claim, value] of [
      ['team', null],
      ['team', { organization: 'ac/me', project: 'web' }],
      ['email', 7],
      ['models', []],
      ['models', ['openai/*', 7]],
      ['limits', { requests: 60 }],
      ['limits', [{ requests: 0, per: '1m' }]],
      ['https://acme.example/key', 'auth0|1'],
    ] as const) {
      const [status, message] = await refusalOf(instance, await issuer.sign({ ...claims, [claim]: value }));
      expect([status, message.startsWith(`The claim "${claim}`)], message).to.deep.equal([401, true]);
    }
  });

  it('a claim with a link in place of its values is refused, also if there is a default', async () => {
    const instance = await create({
      claims: { key: 'sub', organization: 'team.organization', models: 'groups' },
      defaults: { organization: 'acme', models: ['openai/*'] },
    });
    const link = {
      _claim_sources: { src1: { endpoint: 'https://graph.windows.net/acme/users/dora/getMemberObjects' } },
    };
    for (const claims of [{ ...link, _claim_names: { groups: 'src1' } }, { hasgroups: true }, { hasgroups: 'true' }]) {
      const [status, message] = await refusalOf(instance, await issuer.sign(claims));
      expect([status, message.split('.')[0]]).to.deep.equal([
        401,
        'The claim "groups" of the token has too many values for a token, which has a link in their place',
      ]);
    }
    const [, message] = await refusalOf(instance, await issuer.sign({ ...link, _claim_names: { team: 'src1' } }));
    expect(message).to.include('The claim "team.organization" of the token has too many values');
    for (const claims of [{}, { groups: ['openai/*'], hasgroups: true }, { ...link, _claim_names: { roles: 'src1' } }])
      expect(await identify(instance, await issuer.sign(claims))).to.deep.include({ models: ['openai/*'] });
  });

  it('callers of two issuers never have one name, whatever their subjects are', () => {
    const spaces = [
      'https://login.example.com',
      'https://login.example.com/realms/acme',
      'https://login.example.com/realms~acme',
      'https://login.example.com:8443',
      'https://login.example.com.realms/acme',
      'http://localhost/realms/acme',
      'https://localhost/realms/acme',
    ].map(spaceOf);
    expect(spaces.slice(0, 2)).to.deep.equal(['jwt:login.example.com:', 'jwt:login.example.com~realms~acme:']);
    expect(new Set(spaces).size).to.equal(spaces.length);
    expect(spaceOf('https://acme.eu.auth0.com/')).to.equal('jwt:acme.eu.auth0.com:');
    for (const space of spaces) expect(space).to.match(/^jwt:[^/\s]+:$/);
  });

  it('an e-mail address or a telephone number counts only if the issuer has verified it', async () => {
    const rules: readonly Partial<JwtOptions>[] = [
      { claims: { key: 'sub', user: 'email' } },
      { claims: { key: 'email' } },
      { claims: { key: 'sub', user: 'profile.email' } },
    ];
    const email = 'boss@acme.example';
    for (const more of rules) {
      const instance = await create(more);
      for (const verified of [undefined, false, 'false', 'true', 1]) {
        const claims = { email, email_verified: verified };
        const [status, message] = await refusalOf(instance, await issuer.sign({ ...claims, profile: claims }));
        expect([status, message.includes('is not verified: its issuer must state')], message).to.deep.equal([
          401,
          true,
        ]);
      }
      const claims = { email, email_verified: true };
      const caller = await identify(instance, await issuer.sign({ ...claims, profile: claims }));
      expect(caller?.user ?? caller?.key).to.be.oneOf([named(email), named('dora')]);
    }
    const instance = await create({ claims: { key: 'sub', user: 'phone_number' } });
    expect((await refusalOf(instance, await issuer.sign({ phone_number: '+1' })))[0]).to.equal(401);
  });

  it('the user of a token is its subject, unless a claim names it or the requests do', async () => {
    const token = await issuer.sign({ azp: 'app', name: 'Dora' });
    const users: readonly (readonly [JwtOptions['claims'], string | undefined])[] = [
      [{ key: 'azp' }, named('dora')],
      [{ key: 'azp', user: 'name' }, named('Dora')],
      [{ key: 'azp', user: false }, undefined],
    ];
    for (const [claims, user] of users) {
      const caller = await identify(await create({ claims }), token);
      expect([caller?.key, caller?.user]).to.deep.equal([named('app'), user]);
    }
    const service = await issuer.sign({ azp: 'app', sub: null });
    expect(await identify(await create({ claims: { key: 'azp' } }), service)).to.include({ user: named('app') });
    for (const name of [' dora', 'dora\n', 'do\u0000ra', '\ud800', ''])
      expect(
        (
          await refusalOf(
            await create({ claims: { key: 'azp', user: 'name' } }),
            await issuer.sign({ azp: 'app', name }),
          )
        )[0],
        name,
      ).to.equal(401);
  });

  it('uses the defaults for tokens without a claim, and refuses a claim that is not valid', async () => {
    const instance = await create({
      claims: { key: 'sub', organization: 'org', models: 'models' },
      defaults: { organization: 'acme', project: 'web', models: ['openai/*'], limits: [{ requests: 6, per: '1m' }] },
    });
    const caller = await identify(instance, await issuer.sign());
    expect(caller).to.deep.include({ organization: 'acme', project: 'web', models: ['openai/*'] });
    expect(caller?.limits).to.have.length(1);
    expect((await refusalOf(instance, await issuer.sign({ org: '' })))[0]).to.equal(401);
  });

  const now = (): number => Math.floor(Date.now() / 1_000);
  for (const [what, make, reason] of [
    ['that has expired', () => issuer.sign({ exp: now() - 31 }), 'The token has expired.'],
    ['without an expiry', () => issuer.sign({ exp: null }), 'The token has no expiry (exp)'],
    ['that is not valid yet', () => issuer.sign({ nbf: now() + 300 }), 'The token is not valid yet.'],
    ['for another audience', () => issuer.sign({ aud: ['other'] }), 'The token is not for this gateway'],
    ['without an audience', () => issuer.sign({ aud: null }), 'The token is not for this gateway'],
    ['with an algorithm that is not allowed', () => issuer.sign({}, 'EdDSA'), 'The token is signed with an algorithm'],
    [
      'whose payload was changed',
      async () => {
        const [head = '', , signature = ''] = (await issuer.sign()).split('.');
        const [, payload = ''] = (await issuer.sign({ sub: 'root' })).split('.');
        return [head, payload, signature].join('.');
      },
      'The signature of the token is not valid.',
    ],
    [
      'with the signature of the public key as a secret',
      () =>
        new SignJWT({})
          .setIssuer(issuer.url)
          .setAudience('koine-api')
          .setExpirationTime('1h')
          .setProtectedHeader({ alg: 'HS256', kid: 'RS256-1' })
          .sign(new TextEncoder().encode('the public key of the issuer as text')),
      'The token is signed with an algorithm',
    ],
  ] as const)
    it(`refuses a token ${what} with a sentence`, async () => {
      const [status, message] = await refusalOf(await create(), await make());
      expect([status, message.startsWith(reason)], message).to.deep.equal([401, true]);
    });

  it('accepts a clock that differs by less than the clock skew', async () => {
    const instance = await create();
    expect(await identify(instance, await issuer.sign({ exp: now() - 20 }))).to.include({ key: named('dora') });
    expect(await identify(instance, await issuer.sign({ nbf: now() + 20 }))).to.include({ key: named('dora') });
  });

  it('leaves everything else to the plugins that follow: keys, tokens of other issuers, tokens without a signature', async () => {
    const instance = await create();
    const others = [
      'koine_4KTEtVOp_abc',
      await issuer.sign({ iss: 'https://other.example' }),
      new UnsecuredJWT({ iss: issuer.url }).encode(),
      'a.b.c',
    ];
    for (const text of others) expect(await identify(instance, text), text).to.equal(undefined);
    expect(issuer.fetches).to.equal(0);
  });

  it('fetches the keys again for a token with a new one, at most every thirty seconds', async () => {
    const instance = await create();
    const old = await issuer.sign();
    await identify(instance, old);
    await issuer.rotate();
    const fresh = await issuer.sign();
    expect((await refusalOf(instance, fresh))[1]).to.equal(
      'The token is signed with a key that its issuer does not have.',
    );
    expect(issuer.fetches).to.equal(1);
    // Fractions of the clock are rounded.
    passed += MINUTE / 2 + 1;
    expect(await identify(instance, fresh)).to.include({ key: named('dora') });
    expect(issuer.fetches).to.equal(2);
  });

  it('accepts a token with a withdrawn key for a minute after it was verified, and not after the keys are old', async () => {
    const instance = await create();
    const old = await issuer.sign();
    await identify(instance, old);
    await issuer.rotate();
    expect(instance.identify?.(createTestHead({ headers: { authorization: `Bearer ${old}` } }))).to.not.be.instanceOf(
      Promise,
    );
    passed += 10 * MINUTE + 1;
    expect((await refusalOf(instance, old))[0]).to.equal(401);
  });

  it('does not accept a verified token after its expiry', async () => {
    const instance = await create({ clockSkew: '0s' });
    const token = await issuer.sign({ exp: now() + 20 });
    await identify(instance, token);
    passed += 21_000;
    expect((await refusalOf(instance, token))[1]).to.equal('The token has expired. Get a new one.');
  });

  it('goes on with known keys for a day while the issuer is down, and logs that once', async () => {
    const instance = await create();
    await identify(instance, await issuer.sign());
    issuer.status = 503;
    for (passed = 11 * MINUTE; passed < 14 * MINUTE; passed += MINUTE)
      expect(await identify(instance, await issuer.sign())).to.include({ key: named('dora') });
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['warn']);
    passed = 25 * 60 * MINUTE;
    expect((await refusalOf(instance, await issuer.sign({ exp: now() + 100_000 })))[0]).to.equal(503);
    issuer.status = 200;
    passed += MINUTE;
    expect(await identify(instance, await issuer.sign({ exp: now() + 100_000 }))).to.include({ key: named('dora') });
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['warn', 'info']);
  });

  it('responds 503, not 401, while the keys of the issuer are not known', async () => {
    issuer.status = 500;
    expect((await refusalOf(await create(), await issuer.sign()))[0]).to.equal(503);
    issuer.status = 200;
    issuer.name = 'https://other.example';
    expect((await refusalOf(await create(), await issuer.sign()))[0]).to.equal(503);
    const direct = await create({ jwksUri: `${issuer.url}/jwks` });
    expect(await identify(direct, await issuer.sign())).to.include({ key: named('dora') });
  });
});
