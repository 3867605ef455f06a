import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { requireBrowser, startBrowser } from '../dashboard/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { startProvider, type TestProvider } from './provider.ts';

const oidc = {
  clientId: 'koine',
  clientSecret: 'provider-client-secret',
  roles: { staff: 'viewer', platform: 'admin' },
  signOut: 'provider',
};
const start = (issuer: string): Promise<TestGateway> =>
  startTestGateway({
    plugins: ['auth', 'dashboard'].map((use) => ({ use })),
    providers: { simulator: { use: 'simulator' } },
    admin: { port: 0, oidc: { ...oidc, issuer } },
  });

describe('the sign-out at the identity provider', function suite() {
  this.timeout(120_000);
  let browser: Browser;
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  let page: Page;
  before(async function begin() {
    requireBrowser(this);
    [browser, provider] = await Promise.all([startBrowser(), startProvider()]);
    gateway = await start(provider.issuer);
    ({ url } = gateway.gateway.admin);
    await provider.configure({
      redirectUris: [`${url}/admin/login/callback`],
      afterSignOut: [`${url}/admin/login`],
    });
    page = await (await browser.newContext({ baseURL: url })).newPage();
    page.setDefaultTimeout(30_000);
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
    await browser?.close();
  });

  it('ends both sessions with signOut: provider, and leads back to the login page', async () => {
    const link = page.getByRole('link', { name: /^Sign in with/ });
    await page.goto('/');
    await link.click();
    await page.fill('input[name=login]', 'emil');
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
    await page.waitForURL(`${url}/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // The provider knows the person by the id token, and asks before it ends the session.
    await page.waitForURL(`${provider.issuer}/session/end?*`);
    expect((await page.context().request.get('/admin/pages')).status()).to.equal(401);
    await page.getByRole('button', { name: /^Yes, sign me out/ }).click();
    await page.waitForURL(`${url}/admin/login**`);
    await link.click();
    await page.locator('input[name=login]').waitFor();
  });

  it('ends the session here and says so where the provider has no sign-out', async () => {
    const simple = await startHostileProvider();
    const other = await start(simple.issuer);
    const ask = (method: string, path: string, cookie = '') =>
      send(other.gateway.admin.url, { method, path, headers: { accept: 'text/html', cookie } });
    const cookieOf = (cookies: readonly string[] = []): string =>
      cookies.map((cookie) => cookie.split(';')[0] ?? '').find((cookie) => !cookie.endsWith('=')) ?? '';
    try {
      const begun = await ask('GET', '/admin/login/begin?next=/');
      const parameters = new URL(begun.headers.location ?? '').searchParams;
      simple.nonce = parameters.get('nonce') ?? '';
      const query = new URLSearchParams({ code: 'a', state: parameters.get('state') ?? '', iss: simple.issuer });
      const finished = await ask(
        'GET',
        `/admin/login/callback?${String(query)}`,
        cookieOf(begun.headers['set-cookie']),
      );
      const session = cookieOf(finished.headers['set-cookie']);
      expect((await ask('GET', '/admin/pages', session)).status).to.equal(200);
      const { status, text } = await ask('POST', '/admin/logout', session);
      expect([status, text.includes('You are signed out of this gateway, but not at')]).to.deep.equal([503, true]);
      const refused = other.lines.find(({ text }) => text === 'admin call refused');
      expect(refused?.fields).to.include({ method: 'POST', code: 'service_unavailable' });
      expect((await ask('GET', '/admin/pages', session)).status).to.equal(303);
      expect(JSON.stringify(other.lines)).to.not.include('eyJ');
    } finally {
      await other.stop();
      await simple.stop();
    }
  });
});
