import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { send } from '../support/http.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { signIn } from './sign-in.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const start = (issuer: string): Promise<TestGateway> =>
  startTestGateway({
    providers: { simulator: { use: 'simulator' } },
    admin: {
      port: 0,
      token: 'the-admin-token-of-the-back-channel',
      oidc: { issuer, clientId: 'koine', clientSecret: 'provider-client-secret', roles: { '*': 'viewer' } },
    },
  });
const statusOf = async (url: string, cookie: string): Promise<number> =>
  (await send(url, { method: 'GET', path: '/admin/pages', headers: { cookie } })).status;

describe('the back-channel sign-out, by oidc-provider', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    provider = await startProvider();
    gateway = await start(provider.issuer);
    ({ url } = gateway.gateway.admin);
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });
  const configure = (ofSession: boolean): Promise<void> =>
    provider.configure({
      redirectUris: [`${url}/admin/login/callback`],
      backChannel: { uri: `${url}/admin/login/backchannel`, ofSession },
    });

  it('ends the session of the browser that has signed out, and no other one', async () => {
    await configure(true);
    const [laptop, phone, other] = [await signIn(url, 'dora'), await signIn(url, 'dora'), await signIn(url, 'emil')];
    await laptop.signOutAtProvider();
    await until('the session has ended', async () => (await statusOf(url, laptop.cookie)) === 401);
    expect(await statusOf(url, phone.cookie)).to.equal(200);
    expect(await statusOf(url, other.cookie)).to.equal(200);
    expect(gateway.lines.some(({ fields }) => fields['call'] === 'POST /admin/login/backchannel')).to.equal(true);
  });

  it('ends all sessions of the person if the provider names no session', async () => {
    await configure(false);
    const [laptop, phone, other] = [await signIn(url, 'dora'), await signIn(url, 'dora'), await signIn(url, 'emil')];
    await laptop.signOutAtProvider();
    await until('the session has ended', async () => (await statusOf(url, laptop.cookie)) === 401);
    expect(await statusOf(url, phone.cookie)).to.equal(401);
    expect(await statusOf(url, other.cookie)).to.equal(200);
  });
});

describe('the back-channel sign-out, with forged tokens', () => {
  const requests: string[] = [];
  let status = 200;
  let gateway: TestGateway;
  let issuer: string;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  const server = createServer((request, response) => {
    void (async () => {
      requests.push(request.url ?? '');
      const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' };
      const base = { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` };
      const body = request.url === '/jwks' ? { keys: [jwk] } : { ...base, jwks_uri: `${issuer}/jwks` };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  before(async () => {
    keys = await generateKeyPair('RS256');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    requests.length = 0;
    status = 200;
    gateway = await start(issuer);
  });
  afterEach(() => gateway?.stop());
  after(() => server.close());

  let count = 0;
  const sign = (change: JWTPayload = {}, { privateKey } = keys, kid = 'one'): Promise<string> => {
    count += 1;
    const times = { iat: Math.floor(Date.now() / 1_000), jti: `token-${count}` };
    const claims = { iss: issuer, aud: 'koine', sub: 'dora', ...times, events: { [EVENT]: {} }, ...change };
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt' }).sign(privateKey);
  };
  const report = async (token: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = String(new URLSearchParams({ logout_token: token }));
    return send(gateway.gateway.admin.url, { method: 'POST', path: '/admin/login/backchannel', headers, body });
  };

  it('accepts a token once, and refuses each that breaks a rule of the protocol', async () => {
    const token = await sign();
    const accepted = await report(token);
    expect([accepted.status, accepted.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    expect((await report(token)).status, 'the same token again').to.equal(400);
    expect((await report(await sign({ sid: 'one', sub: undefined }))).status).to.equal(200);
    const forged: Readonly<Record<string, JWTPayload>> = {
      'another issuer': { iss: 'https://login.example.com' },
      'another audience': { aud: 'another-client' },
      'no event': { events: {} },
      'an event that is no object': { events: { [EVENT]: true } },
      'a nonce': { nonce: 'a' },
      'neither sub nor sid': { sub: undefined },
      'no jti': { jti: undefined },
      'an old token': { iat: Math.floor(Date.now() / 1_000) - 3_600 },
      'an expired token': { exp: Math.floor(Date.now() / 1_000) - 3_600 },
    };
    for (const [what, change] of Object.entries(forged))
      expect((await report(await sign(change))).status, what).to.equal(400);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`;
    for (const bad of ['', 'a.b.c', unsigned, token.slice(0, -4)]) expect((await report(bad)).status).to.equal(400);
    expect((await report('a'.repeat(20_000))).status).to.equal(400);
    expect(JSON.stringify(gateway.lines)).to.not.include('eyJ');
  });

  it('reads the keys of the issuer at most once for a flood of tokens, whether or not the issuer works', async () => {
    const attacker = await generateKeyPair('RS256');
    const flood = async (): Promise<void> => {
      const tokens = await Promise.all(Array.from({ length: 40 }, (_, kid) => sign({}, attacker, `kid-${kid}`)));
      for (const { status: refused } of await Promise.all(tokens.map(report))) expect(refused).to.equal(400);
      for (const token of tokens) expect((await report(token)).status).to.equal(400);
    };
    await flood();
    expect(requests.toSorted()).to.deep.equal(['/.well-known/openid-configuration', '/jwks']);
    await gateway.stop();
    requests.length = 0;
    status = 500;
    gateway = await start(issuer);
    await flood();
    expect(requests).to.deep.equal(['/.well-known/openid-configuration']);
  });
});
