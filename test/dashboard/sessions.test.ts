import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { askAdmin, readJson } from '../support/admin.ts';
import { expectAccessible, openWindow, requireBrowser, startBrowser, type Window } from './browser.ts';
import { readRows, show, signIn as signInWithToken } from './pages.ts';
import { startDashboard, TOKEN, type DashboardScene } from './scene.ts';

describe('the page Sessions of the dashboard', function () {
  let provider: TestProvider;
  let scene: DashboardScene;
  let browser: Browser;
  let window: Window;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    [browser, provider] = await Promise.all([startBrowser(), startProvider()]);
    const roles = { guests: 'developer' };
    const oidc = { issuer: provider.issuer, clientId: 'koine', clientSecret: 'provider-client-secret', roles };
    scene = await startDashboard({ admin: { port: 0, token: TOKEN, oidc } });
    await provider.configure({ redirectUris: [`${scene.url}/admin/login/callback`] });
    window = await openWindow(browser, scene.url);
    ({ page } = window);
  });
  after(async () => {
    await browser?.close();
    await scene?.gateway.stop();
    await provider?.stop();
  });

  it('an admin sees all sessions, and signs a person out', async () => {
    const { cookie } = await signIn(scene.url, 'flora');
    await page.goto('/');
    await signInWithToken(page);
    await show(page, 'sessions');
    const rows = await readRows(page, 'Open sessions');
    expect(rows.map(([person, , , , , action]) => [person?.split(/\s/)[0], action])).to.deep.equal([
      ['token', 'this session'],
      ['flora@acme.example', 'Sign out'],
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Sign out flora@acme.example/ }).click();
    await page.getByText('flora@acme.example').waitFor({ state: 'detached' });
    const left = await askAdmin(scene.gateway, 'GET', '/admin/me/sessions', undefined, { cookie });
    expect(left.status).to.equal(401);
  });

  it('a developer sees and ends only own sessions', async () => {
    const { cookie } = await signIn(scene.url, 'flora');
    await signIn(scene.url, 'flora');
    const [name = '', value = ''] = (cookie.split('; ').find((each) => each.startsWith('koine_admin_')) ?? '').split(
      '=',
    );
    await page.context().clearCookies();
    await page.context().addCookies([{ name, value, url: scene.url }]);
    await page.goto('about:blank');
    await show(page, 'sessions');
    expect(await page.locator('nav a').allInnerTexts()).to.deep.equal(['My keys', 'Sessions']);
    expect((await readRows(page, 'Open sessions')).map((row) => row[5])).to.deep.equal(['Sign out', 'this session']);
    await page.getByRole('button', { name: /^Sign out flora/ }).click();
    await page.getByRole('button', { name: /^Sign out flora/ }).waitFor({ state: 'detached' });
    const { sessions } = readJson<{ sessions: readonly { readonly current: boolean }[] }>(
      await askAdmin(scene.gateway, 'GET', '/admin/me/sessions', undefined, { cookie }),
    );
    expect(sessions.map(({ current }) => current)).to.deep.equal([true]);
  });
});
