import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { verifyAudit } from '../../core/http/admin/audit/verify.ts';
import { openDatabase } from '../../core/services/database/database.ts';
import { json } from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { send, type HttpReply } from '../support/http.ts';
import { startProvider, type TestProvider } from './provider.ts';
import { signIn } from './sign-in.ts';

const SIGN_INS = 30;
const MOST = 20;
const REFUSALS = 3_000;

interface Listed {
  readonly id: string;
  readonly subject: string;
  readonly current: boolean;
}

describe('floods of sign-ins and refusals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-floods-'));
  const file = join(folder, 'koine.db');
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  before(async () => {
    provider = await startProvider();
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      store: { database: `sqlite:${file}` },
      admin: {
        port: 0,
        oidc: {
          issuer: provider.issuer,
          clientId: 'koine',
          clientSecret: 'provider-client-secret',
          roles: { platform: 'admin', staff: 'viewer', guests: 'developer' },
        },
      },
    });
    ({ url } = gateway.gateway.admin);
    await provider.configure({ redirectUris: [`${url}/admin/login/callback`] });
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (cookie: string, method: string, path: string): Promise<HttpReply> =>
    send(url, {
      method,
      path,
      headers: { ...json, cookie, 'x-koine-page': '1' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
  const listOf = async (cookie: string, path: string): Promise<readonly Listed[]> =>
    (JSON.parse((await call(cookie, 'GET', path)).text) as { readonly sessions: readonly Listed[] }).sessions;
  const statusOf = async (cookie: string): Promise<number> => (await call(cookie, 'GET', '/admin/me')).status;

  it('the sign-ins of a developer end no session of another person, who can see and end them', async () => {
    const { cookie: dora } = await signIn(url, 'dora');
    const { cookie: emil } = await signIn(url, 'emil');
    const own: string[] = [];
    for (let made = 0; made < SIGN_INS; made += 1) own.push((await signIn(url, 'flora')).cookie);
    const statuses = await Promise.all(own.map(statusOf));
    expect(statuses).to.deep.equal(own.map((_, index) => (index < SIGN_INS - MOST ? 401 : 200)));
    expect([await statusOf(dora), await statusOf(emil)]).to.deep.equal([200, 200]);

    const [last = ''] = own.slice(-1);
    const listed = await listOf(last, '/admin/me/sessions');
    expect([listed.length, listed[0]?.current, new Set(listed.map(({ subject }) => subject))]).to.deep.equal([
      MOST,
      true,
      new Set(['flora']),
    ]);
    const all = await listOf(dora, '/admin/sessions');
    expect(all.map(({ subject }) => subject).toSorted()).to.deep.equal(['dora', 'emil', ...listed.map(() => 'flora')]);
    const idOf = (subject: string): string => all.find((session) => session.subject === subject)?.id ?? '';
    expect((await call(last, 'GET', '/admin/sessions')).status).to.equal(403);
    expect((await call(last, 'DELETE', `/admin/sessions/${idOf('emil')}`)).status).to.equal(403);
    expect((await call(last, 'DELETE', `/admin/me/sessions/${idOf('emil')}`)).status).to.equal(404);
    expect((await call(last, 'DELETE', `/admin/me/sessions/${listed[1]?.id}`)).status).to.equal(200);
    expect(await statusOf(own.at(-2) ?? '')).to.equal(401);
    expect((await call(dora, 'DELETE', `/admin/sessions/${idOf('emil')}`)).status).to.equal(200);
    expect([await statusOf(emil), await statusOf(last)]).to.deep.equal([401, 200]);
  });

  it('thousands of refused calls become a few entries, of which none is lost at the end', async () => {
    const { cookie } = await signIn(url, 'flora');
    for (let sent = 0; sent < REFUSALS; sent += 100)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          expect((await call(cookie, 'POST', '/admin/reload')).status).to.equal(403);
          expect((await call(cookie, 'GET', '/admin/config')).status).to.equal(403);
        }),
      );
    await gateway.stop();
    const database = new DatabaseSync(file, { readOnly: true, timeout: 20_000 });
    const counted = database
      .prepare(
        `SELECT action, subject, sum(count) AS calls, count(*) AS entries FROM audit
        WHERE status = 403 AND action IN ('POST /admin/reload', 'GET /admin/config') GROUP BY action, subject`,
      )
      .all()
      .map((row) => ({ ...row }));
    database.close();
    expect(counted.map(({ action, subject, calls }) => ({ action, subject, calls }))).to.deep.equal([
      { action: 'GET /admin/config', subject: 'flora', calls: REFUSALS / 2 },
      { action: 'POST /admin/reload', subject: 'flora', calls: REFUSALS / 2 },
    ]);
    // Two in each minute that the calls took.
    for (const { entries } of counted) expect(Number(entries)).to.be.lessThan(20);
    const kept = await openDatabase(`sqlite:${file}`);
    expect((await verifyAudit(kept)).broken).to.equal(undefined);
    await kept.destroy();
  });
});
