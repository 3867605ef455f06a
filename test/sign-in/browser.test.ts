import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expectAccessible, requireBrowser, saveScreenshot, startBrowser } from '../dashboard/browser.ts';
import { askAdmin, json, readJson } from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startProvider, type TestProvider } from './provider.ts';

const TOKEN = 'admin-token-of-the-sign-in-tests';
const bearer = { ...json, authorization: `Bearer ${TOKEN}` };

describe('the sign-in with an identity provider, in a browser', function suite() {
  this.timeout(120_000);
  let browser: Browser;
  let provider: TestProvider;
  let gateway: TestGateway;
  let url: string;
  let context: BrowserContext;
  let page: Page;
  before(async function start() {
    requireBrowser(this);
    [browser, provider] = await Promise.all([startBrowser(), startProvider()]);
    gateway = await startTestGateway({
      plugins: ['metrics', 'auth', 'dashboard'].map((use) => ({ use })),
      providers: { simulator: { use: 'simulator' } },
      admin: {
        port: 0,
        token: TOKEN,
        oidc: {
          issuer: provider.issuer,
          clientId: 'koine',
          clientSecret: 'provider-client-secret',
          roles: { platform: 'admin', staff: 'viewer' },
        },
      },
    });
    ({ url } = gateway.gateway.admin);
    await provider.configure({ redirectUris: [`${url}/admin/login/callback`] });
  });
  after(async () => {
    await gateway?.stop();
    await provider?.stop();
    await browser?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
  });
  afterEach(() => context.close());

  const linkOf = () => page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` });
  /** Fills in the pages of the provider, which is at another site. */
  const signInAs = async (name: string, path = '/'): Promise<void> => {
    await page.goto(path);
    await linkOf().click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.fill('input[name=login]', name);
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
  };
  const callFromPage = (method: string, path: string): Promise<{ readonly status: number; readonly body: string }> =>
    page.evaluate(
      async ([method = '', path = '']) => {
        const headers = { 'content-type': 'application/json', 'x-koine-page': '1' };
        const reply = await fetch(path, method === 'GET' ? {} : { method, headers, body: '{}' });
        return { status: reply.status, body: await reply.text() };
      },
      [method, path],
    );

  it('leads a person through the provider to the page that was wanted, with name and role', async () => {
    await signInAs('dora', '/?range=7d');
    await page.waitForURL(`${url}/?range=7d`);
    const { status, body } = await callFromPage('GET', '/admin/pages');
    expect([status, JSON.parse(body)]).to.have.deep.nested.property('[1].actor', {
      name: 'dora@acme.example',
      role: 'admin',
    });
    expect((await callFromPage('POST', '/admin/reload')).status).to.equal(200);
    const [reload, signIn] = readJson<{ entries: readonly object[] }>(
      await askAdmin(gateway, 'GET', '/admin/audit?limit=2', undefined, bearer),
    ).entries;
    expect(reload).to.include({ actor: 'dora@acme.example', role: 'admin', action: 'POST /admin/reload' });
    expect(signIn).to.deep.include({
      action: 'GET /admin/login/callback',
      after: { issuer: provider.issuer, subject: 'dora', role: 'admin' },
    });
  });

  const SHARED = '/#/requests?key=acme/web/alice&outcome=failure';

  it('leads to the page and the filters of a shared link, with the provider and with the token', async () => {
    await signInAs('emil', SHARED);
    await page.waitForURL(url + SHARED);
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await context.clearCookies();
    await page.goto('about:blank');
    await page.goto(SHARED);
    await page.getByLabel('Admin token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Admin token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(url + SHARED);
  });

  it('opens a link on another site without a second sign-in', async () => {
    await signInAs('emil');
    await page.waitForURL(`${url}/`);
    await page.route(`${provider.issuer}/chat`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${url}${SHARED}">the failures of today</a>` }),
    );
    await page.goto(`${provider.issuer}/chat`);
    await page.getByRole('link', { name: 'the failures of today' }).click();
    await page.waitForURL(url + SHARED);
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  });

  it('shows both ways to sign in on an accessible page', async () => {
    await page.goto('/');
    expect(await linkOf().count()).to.equal(1);
    expect(await page.getByLabel('Admin token').count()).to.equal(1);
    await expectAccessible(page);
    await saveScreenshot(page, 'sign-in');
    await page.getByLabel('Admin token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${url}/`);
    expect((await callFromPage('GET', '/admin/pages')).body).to.include('"actor":{"name":"token","role":"admin"}');
  });

  it('refuses what the role does not allow', async () => {
    await signInAs('emil');
    await page.waitForURL(`${url}/`);
    expect((await callFromPage('GET', '/admin/config')).status).to.equal(200);
    const refused = await callFromPage('POST', '/admin/reload');
    expect(refused.status).to.equal(403);
    expect(refused.body).to.include('needs the role admin, and emil@acme.example has the role viewer');
  });

  it('does not use an address that the provider has not verified as the name of a person', async () => {
    await signInAs('gustav');
    await page.waitForURL(`${url}/`);
    expect((await callFromPage('GET', '/admin/pages')).body).to.include(
      '"actor":{"name":"sub:gustav","role":"viewer"}',
    );
  });

  it('refuses a person without a role, on a page that says what to do', async () => {
    await signInAs('flora');
    await page.waitForURL(`${url}/admin/login/callback?*`);
    const problem = page.getByRole('alert');
    expect(await problem.textContent())
      .to.include('You are signed in as flora@acme.example, but you have no role at this gateway.')
      .and.include('platform, staff');
    await expectAccessible(page);
    await saveScreenshot(page, 'sign-in-refused');
    expect((await context.request.get('/admin/pages')).status()).to.equal(401);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.waitForURL(`${url}/admin/login`);
  });

  it('shows a plain page when a person refuses at the provider', async () => {
    await page.goto('/');
    await linkOf().click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.getByRole('link', { name: /cancel/i }).click();
    await page.waitForURL(`${url}/admin/login/callback?*`);
    expect(await page.getByRole('alert').textContent()).to.include('did not sign you in (access_denied)');
  });

  it('ends the session at the sign-out, and the provider is asked again', async () => {
    await signInAs('emil');
    await page.waitForURL(`${url}/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // With `next`, if a call of the page was refused before the response to the sign-out came.
    await page.waitForURL(`${url}/admin/login*`);
    expect((await context.request.get('/admin/pages')).status()).to.equal(401);
    expect((await context.cookies(url)).filter(({ name }) => name.startsWith('koine_'))).to.deep.equal([]);
  });
});
