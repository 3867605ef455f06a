import { hash } from 'node:crypto';
import { expect } from 'chai';
import type { OutgoingHttpHeaders } from 'node:http';
import { omitUndefined } from '../../../../core/api/codec.ts';
import type { AuditEntry } from '../../../../core/http/admin/audit/audit-entry.ts';
import { createAdminApp } from '../../../../core/http/admin/app.ts';
import { writeLoginPage } from '../../../../core/http/admin/login/login-page.ts';
import { Sessions } from '../../../../core/http/admin/login/sessions.ts';
import { createHealth } from '../../../../core/http/health.ts';
import type { Listener } from '../../../../core/http/connection/listener.ts';
import { readError, send, type HttpReply } from '../../../support/http.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { startListener, stopListener } from '../koa-server.ts';

const TOKEN = 'the+admin token';
const HOUR = 3_600_000;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const browser = { accept: 'text/html,application/xhtml+xml' };

describe('the login of the admin listener', () => {
  const log = createTestLog();
  let passed = 0;
  const clock = { monotonic: () => 1_000 + passed, now: () => 1_000 };
  const actor = { name: 'token', role: 'admin' } as const;
  const entries: AuditEntry[] = [];
  let sessions: Sessions;
  let listener: Listener;
  const begin = async (token?: string): Promise<void> => {
    listener = await startListener(
      createAdminApp({
        config: omitUndefined({ host: '127.0.0.1', token }),
        health: createHealth(),
        log,
        clock,
        sessions,
        audit: { record: async (entry) => void entries.push(entry) },
        fill: (routerOf) => {
          const router = routerOf('the core');
          router.page('/', 'Home', () => ({ body: '<p>home' }));
          router.post('/admin/things', () => ({ body: {} }));
          router.delete('/admin/things', () => ({ body: {} }));
        },
      }),
    );
  };
  beforeEach(async () => {
    sessions = new Sessions(clock);
    await begin(TOKEN);
  });
  afterEach(async () => {
    await stopListener(listener);
    log.lines.length = 0;
    entries.length = 0;
    passed = 0;
  });

  const ask = (method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<HttpReply> =>
    send(listener.url, omitUndefined({ method, path, headers, body }));
  const signIn = (token: string, next = '/', headers: OutgoingHttpHeaders = {}): Promise<HttpReply> =>
    ask('POST', '/admin/login', { ...form, ...headers }, String(new URLSearchParams({ token, next })));
  const cookieOf = ({ headers }: HttpReply): string => headers['set-cookie']?.[0] ?? '';
  /** Cookies ignore ports, so the name has the port. */
  const nameOf = (): string => `koine_admin_${new URL(listener.url).port}`;
  const signedIn = async (): Promise<OutgoingHttpHeaders> => ({
    cookie: `other=1; ${cookieOf(await signIn(TOKEN)).split(';')[0]}`,
  });

  it('redirects a browser without a session to the login, and back', async () => {
    const reply = await ask('GET', '/?range=7d', browser);
    expect([reply.status, reply.headers.location]).to.deep.equal([303, '/admin/login?next=%2F%3Frange%3D7d']);
    expect((await ask('GET', reply.headers.location ?? '')).text).to.include('value="/?range=7d"');
    expect((await signIn(TOKEN, '/?range=7d')).headers.location).to.equal('/?range=7d');
    expect(log.lines.filter(({ text }) => text === 'admin call refused')).to.deep.equal([]);
  });

  it('responds 401 to a program without a token', async () => {
    const reply = await ask('GET', '/', { accept: 'application/json' });
    expect([reply.status, readError(reply).error.code]).to.deep.equal([401, 'invalid_api_key']);
  });

  it('gives the holder of the token a session that scripts cannot read and other sites cannot use', async () => {
    const reply = await signIn(TOKEN);
    expect(reply.status).to.equal(303);
    expect(cookieOf(reply)).to.match(/^koine_admin_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect((await ask('GET', '/', await signedIn())).text).to.equal('<p>home');
    expect(cookieOf(await signIn(TOKEN))).to.not.equal(cookieOf(reply));
  });

  it('uses the prefix __Host- over https, and reads no cookie without it there', async () => {
    const https = { 'x-forwarded-proto': 'https' };
    const cookie = cookieOf(await signIn(TOKEN, '/', https));
    expect(cookie).to.match(
      /^__Host-koine_admin_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
    const session = cookie.split(';')[0] ?? '';
    const statusWith = async (given: string, headers: OutgoingHttpHeaders = {}): Promise<number> =>
      (await ask('GET', '/', { cookie: given, ...headers })).status;
    expect(await statusWith(session, https)).to.equal(200);
    expect(await statusWith(session.replace('__Host-', ''), https)).to.equal(401);
    expect(await statusWith(session)).to.equal(401);
    const left = await ask('POST', '/admin/logout', { ...form, cookie: session, ...https }, '');
    const [, port = ''] = /admin_(\d+)=/.exec(session) ?? [];
    expect(left.headers['set-cookie']).to.deep.equal([
      `__Host-koine_admin_${port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure`,
      `koine_admin_${port}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
      `__Host-koine_sign_in_${port}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure`,
      `koine_sign_in_${port}=; Path=/admin/login; HttpOnly; SameSite=Lax; Max-Age=0`,
    ]);
    expect(await statusWith(session, https)).to.equal(401);
  });

  it('gives no session for a wrong token, reports it on the page and in the log, but never shows the token', async () => {
    const reply = await signIn('wrong-<token>');
    expect([reply.status, reply.headers['set-cookie']]).to.deep.equal([401, undefined]);
    expect(reply.text).to.include('role="alert"').and.not.include('wrong-');
    expect(log.lines.map(({ text, fields }) => [text, (fields as { code?: string }).code])).to.deep.equal([
      ['admin call refused', 'invalid_api_key'],
    ]);
    expect(JSON.stringify(log.lines)).to.not.include('wrong-');
  });

  it('allows only its own script on the login page, and no site to embed it', async () => {
    const { headers, text } = await ask('GET', '/admin/login?next=%22%3E%3Cscript%3E');
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
    expect(scripts).to.have.length(1);
    expect(headers['content-security-policy'])
      .to.include("default-src 'none'; style-src 'sha256-")
      .and.include("frame-ancestors 'none'")
      .and.include(`script-src 'sha256-${hash('sha256', scripts[0] ?? '', 'base64')}';`);
    const page = writeLoginPage({ hasToken: true }, { next: '"><script>', problem: '<script>' });
    expect(page.match(/<script/g)).to.have.length(1);
  });

  it('leads to the page and the filters of a link, which are in its fragment', async () => {
    for (const [next, place] of [
      ['/#/requests?key=acme/web/alice&outcome=failure', '/#/requests?key=acme/web/alice&outcome=failure'],
      ['/notices?day=1#//evil.example', '/notices?day=1#//evil.example'],
      ['/#"><script>', '/#%22%3E%3Cscript%3E'],
      [`/#${'a'.repeat(2_000)}`, '/'],
    ] as const)
      expect((await signIn(TOKEN, next)).headers.location).to.equal(place);
  });

  it('loads the login page once more after a link of another site, which comes without the session', async () => {
    const again = await ask('GET', '/admin/login?next=%2F', { 'sec-fetch-site': 'cross-site' });
    expect(again.text).to.include('<script data-again>');
    expect((await ask('GET', '/admin/login?next=%2F', { 'sec-fetch-site': 'same-origin' })).text).to.not.include(
      'data-again>',
    );
  });

  for (const next of [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/admin/login',
  ])
    it(`does not redirect to ${JSON.stringify(next)} after the login`, async () =>
      expect((await signIn(TOKEN, next)).headers.location).to.equal('/'));

  it('records every sign-in and sign-out', async () => {
    const session = await signedIn();
    await ask('POST', '/admin/logout', { ...form, ...session }, '');
    await ask('POST', '/admin/logout', { ...form, ...session }, '');
    await signIn('wrong');
    expect(entries.map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['token', 'POST /admin/login'],
      ['token', 'POST /admin/logout'],
    ]);
  });

  it('refuses a session that was never created', async () => {
    for (const cookie of [
      `${nameOf()}=`,
      `${nameOf()}=x`,
      `${nameOf()}=${'a'.repeat(43)}`,
      `other=${sessions.open(actor, HOUR)}`,
      `koine_admin_1=${sessions.open(actor, HOUR)}`,
    ])
      expect((await ask('GET', '/', { cookie })).status, cookie).to.equal(401);
  });

  it('ends a session after twelve hours, and at the logout', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const left = await ask('POST', '/admin/logout', { ...form, ...one }, '');
    expect([left.status, left.headers.location, cookieOf(left)]).to.deep.equal([
      303,
      '/admin/login',
      `${nameOf()}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    ]);
    expect([(await ask('GET', '/', one)).status, (await ask('GET', '/', other)).status]).to.deep.equal([401, 200]);
    passed = 12 * HOUR;
    expect((await ask('GET', '/', other)).status).to.equal(401);
  });

  it('ends the oldest session of the token with the twenty-first', async () => {
    const oldest = await signedIn();
    const next = await signedIn();
    for (let more = 0; more < 19; more += 1) sessions.open(actor, HOUR);
    expect([(await ask('GET', '/', oldest)).status, (await ask('GET', '/', next)).status]).to.deep.equal([401, 200]);
  });

  it('requires a header that forms cannot send for changes with a session', async () => {
    const session = { ...(await signedIn()), 'content-type': 'application/json' };
    for (const method of ['POST', 'DELETE']) {
      const refused = await ask(method, '/admin/things', session);
      expect([refused.status, readError(refused).error.message], method).to.deep.equal([
        403,
        'A page that changes something with its session must send the header x-koine-page: 1.',
      ]);
      expect((await ask(method, '/admin/things', { ...session, 'x-koine-page': '1' })).status, method).to.equal(200);
      expect(
        (await ask(method, '/admin/things', { ...session, 'x-koine-page': '1', origin: 'https://evil.example' }))
          .status,
        method,
      ).to.equal(403);
    }
    expect(log.lines.findLast(({ text }) => text === 'admin call')?.fields).to.include({ who: 'token' });
  });

  it('refuses login and logout from a page of another site', async () => {
    const session = await signedIn();
    for (const evil of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
      expect([
        (await signIn(TOKEN, '/', evil)).status,
        (await ask('POST', '/admin/logout', { ...form, ...session, ...evil }, '')).status,
      ]).to.deep.equal([403, 403]);
      expect((await ask('GET', '/', { ...session, ...evil })).status).to.equal(403);
    }
    expect((await ask('GET', '/', session)).status).to.equal(200);
  });

  it('responds 429 to wrong tokens after twenty in a minute, while the right one and sessions work', async () => {
    const session = await signedIn();
    for (let tries = 0; tries < 10; tries += 1) expect((await signIn(`wrong ${tries}`)).status).to.equal(401);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await ask('GET', '/', { authorization: `Bearer wrong-${tries}` })).status).to.equal(401);
    const refused = await signIn('wrong again');
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '60']);
    expect((await ask('GET', '/', { authorization: 'Bearer wrong-again' })).status).to.equal(429);
    expect((await ask('GET', '/', { authorization: `Bearer ${TOKEN}` })).status).to.equal(200);
    expect((await signIn(TOKEN)).status).to.equal(303);
    expect((await ask('GET', '/', session)).status).to.equal(200);
    expect((await ask('GET', '/', browser)).status).to.equal(303);
    passed = 60_000;
    expect((await signIn('wrong')).status).to.equal(401);
  });

  it('the admin listener has no login without a token', async () => {
    await stopListener(listener);
    await begin();
    expect((await ask('GET', '/admin/login?next=%2Fboard')).headers.location).to.equal('/board');
    const reply = await signIn('anything');
    expect([reply.headers.location, reply.headers['set-cookie']]).to.deep.equal(['/', undefined]);
    expect((await ask('POST', '/admin/logout', form, '')).headers.location).to.equal('/');
  });
});
