import { hash } from 'node:crypto';
import { expect } from 'chai';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import { startHostileProvider, type HostileProvider, type MakeToken } from './hostile-provider.ts';

const SECRET = 'provider-client-secret';

describe('the sign-in with an identity provider', () => {
  let provider: HostileProvider;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    provider = await startHostileProvider();
    gateway = await startTestGateway({
      plugins: ['auth', 'dashboard'].map((use) => ({ use })),
      providers: { simulator: { use: 'simulator' } },
      admin: {
        port: 0,
        oidc: { issuer: provider.issuer, clientId: 'koine', clientSecret: SECRET, roles: { platform: 'admin' } },
      },
    });
    ({ url } = gateway.gateway.admin);
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
  });
  beforeEach(() => {
    provider.redeemed.length = 0;
    provider.makeToken = (claims, sign) => sign(claims);
  });

  const get = (path: string, cookie = '', headers: object = {}): Promise<HttpReply> =>
    send(url, { method: 'GET', path, headers: { accept: 'text/html', cookie, ...headers } });
  const cookiesOf = ({ headers }: HttpReply): readonly string[] =>
    (headers['set-cookie'] ?? [])
      .filter((cookie) => !cookie.includes('=;'))
      .map((cookie) => cookie.split(';')[0] ?? '');
  const sessionOf = (reply: HttpReply): string | undefined =>
    cookiesOf(reply).find((cookie) => cookie.startsWith('koine_admin_'));
  const statusWith = async (session: string): Promise<number> =>
    (await send(url, { method: 'GET', path: '/admin/pages', headers: { cookie: session } })).status;

  interface Begun {
    readonly cookie: string;
    readonly parameters: URLSearchParams;
  }
  const begin = async (next = '/'): Promise<Begun> => {
    const reply = await get(`/admin/login/begin?next=${encodeURIComponent(next)}`);
    expect(reply.status).to.equal(303);
    const parameters = new URL(reply.headers.location ?? '').searchParams;
    provider.nonce = parameters.get('nonce') ?? '';
    return { cookie: cookiesOf(reply).join('; '), parameters };
  };
  const finish = ({ cookie, parameters }: Begun, more: Readonly<Record<string, string>> = {}): Promise<HttpReply> => {
    const query = { code: 'a-code', state: parameters.get('state') ?? '', iss: provider.issuer, ...more };
    return get(`/admin/login/callback?${String(new URLSearchParams(query))}`, cookie);
  };
  const expectRefused = (reply: HttpReply, status: number, text: string): void => {
    expect([reply.status, sessionOf(reply)]).to.deep.equal([status, undefined]);
    expect(reply.text).to.include('role="alert"').and.include(text);
    expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8');
  };

  it('asks for a code with PKCE, state and nonce, and redeems it with the verifier and the secret', async () => {
    const begun = await begin();
    const { parameters } = begun;
    expect(Object.fromEntries(parameters)).to.include({
      client_id: 'koine',
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      redirect_uri: `${url}/admin/login/callback`,
    });
    expect(begun.cookie).to.match(/^koine_sign_in_\d+=/);
    expect(begun.cookie).to.not.include(parameters.get('state'));
    const session = sessionOf(await finish(begun)) ?? '';
    expect(await statusWith(session)).to.equal(200);
    const [form] = provider.redeemed;
    expect(hash('sha256', form?.get('code_verifier') ?? '', 'base64url')).to.equal(parameters.get('code_challenge'));
    const other = (await begin()).parameters;
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(other.get(name), name).to.not.equal(parameters.get(name));
  });

  it('refuses a code that a browser brings without having begun a sign-in', async () => {
    const { cookie, parameters } = await begin();
    expectRefused(await finish({ cookie: '', parameters }), 400, 'began in another browser');
    const forged = `${cookie.split('=')[0]}=${'A'.repeat(200)}`;
    for (const other of [forged, cookie.slice(0, -30), `${cookie.slice(0, -8)}AAAAAAAA`])
      expectRefused(await finish({ cookie: other, parameters }), 400, 'began in another browser');
    expect(provider.redeemed).to.deep.equal([]);
  });

  it('refuses the answer to the sign-in of another browser, and redeems nothing', async () => {
    const { cookie } = await begin();
    const { parameters } = await begin();
    expectRefused(await finish({ cookie, parameters }), 400, 'not valid for this sign-in');
    expect(provider.redeemed).to.deep.equal([]);
  });

  it('accepts an answer once, even if the browser keeps the cookie', async () => {
    const begun = await begin();
    const first = await finish(begun);
    expect(first.headers['set-cookie']?.some((cookie) => /^koine_sign_in_\d+=;.*Max-Age=0/.test(cookie))).to.equal(
      true,
    );
    expectRefused(await finish(begun), 400, 'was completed already');
    expect(provider.redeemed).to.have.length(1);
  });

  it('refuses an answer that names another provider, so that providers cannot be mixed up', async () => {
    expectRefused(await finish(await begin(), { iss: 'https://other.example' }), 400, 'not valid for this sign-in');
    expect(provider.redeemed).to.deep.equal([]);
  });

  const tokens: readonly (readonly [what: string, make: MakeToken])[] = [
    [
      'with the signature of another key',
      async (claims) => signWith((await generateKeyPair('RS256')).privateKey, claims),
    ],
    ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
    ['whose signature uses the client secret', (claims) => signWith(Buffer.from(SECRET.repeat(2)), claims, 'HS256')],
    ['for another client', (claims, sign) => sign({ ...claims, aud: 'other' })],
    ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://other.example' })],
    ['of another sign-in', (claims, sign) => sign({ ...claims, nonce: 'other' })],
    ['that has expired', (claims, sign) => sign({ ...claims, iat: 1_000, exp: 2_000 })],
  ];
  const signWith = (key: Parameters<SignJWT['sign']>[0], claims: object, alg = 'RS256'): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: 'one' }).sign(key);
  for (const [what, make] of tokens)
    it(`gives no session for an id token ${what}`, async () => {
      provider.makeToken = make;
      expectRefused(await finish(await begin()), 400, 'not valid for this sign-in');
      expect(provider.redeemed).to.have.length(1);
    });

  it('gives a new session, and ends the one that the browser had before', async () => {
    const earlier = sessionOf(await finish(await begin())) ?? '';
    const begun = await begin();
    const later = sessionOf(await finish({ ...begun, cookie: `${begun.cookie}; ${earlier}` })) ?? '';
    expect(later).to.not.equal(earlier);
    expect([await statusWith(earlier), await statusWith(later)]).to.deep.equal([401, 200]);
  });

  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/admin/login/begin',
  ])
    it(`leads to the first page, not to ${next}, after the sign-in`, async () => {
      const { text, headers } = await finish(await begin(next));
      expect(text).to.include('content="0; url=/"').and.include('href="/"');
      expect(headers['content-security-policy']).to.include("default-src 'none'");
    });

  it('shows the code of a refusal, but no text that a link could bring along', async () => {
    const more = { error: 'access_denied', error_description: 'Call 0900-EVIL', code: '' };
    const reply = await finish(await begin(), more);
    expectRefused(reply, 403, 'did not sign you in (access_denied)');
    expect(reply.text).to.not.include('EVIL');
  });

  it('shows a page while the provider is down, and works again afterwards', async () => {
    provider.status = 500;
    try {
      expectRefused(await finish(await begin()), 503, 'does not work at the moment');
    } finally {
      provider.status = 200;
    }
    expect(sessionOf(await finish(await begin()))).to.not.equal(undefined);
  });

  it('shows a page while the provider cannot be found', async () => {
    const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'koine', roles: { '*': 'viewer' } };
    const alone = await startTestGateway({ admin: { port: 0, oidc } });
    try {
      const reply = await send(alone.gateway.admin.url, { method: 'GET', path: '/admin/login/begin', headers: {} });
      expectRefused(reply, 503, '127.0.0.1:9 does not work at the moment');
      expect(JSON.stringify(alone.lines)).to.include('ECONNREFUSED');
    } finally {
      await alone.stop();
    }
  });

  it('refuses programs without a session, and says that there is no token', async () => {
    const reply = await send(url, { method: 'GET', path: '/admin/keys', headers: { authorization: 'Bearer x' } });
    expect([reply.status, reply.text.includes('Programs need admin.token')]).to.deep.equal([401, true]);
    expect((await get('/')).headers.location).to.equal('/admin/login?next=%2F');
    expect((await get('/admin/login')).text).to.not.include('Admin token');
  });

  it('shows the settings of the sign-in in the configuration, and no secret', async () => {
    const cookie = sessionOf(await finish(await begin())) ?? '';
    const { status, text } = await send(url, { method: 'GET', path: '/admin/config', headers: { cookie } });
    expect([status, text.includes(provider.issuer), text.includes(SECRET)]).to.deep.equal([200, true, false]);
  });

  it('logs failed sign-ins, and no secret', () => {
    const refusals = gateway.lines.filter(({ text }) => text === 'admin call refused');
    expect(refusals.length).to.be.greaterThan(5);
    const log = JSON.stringify(gateway.lines);
    for (const secret of [SECRET, 'a-code', 'access-token-of-dora']) expect(log).to.not.include(secret);
  });
});
