import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { askAdmin, readJson } from '../support/admin.ts';
import { expectAccessible, openWindow, requireBrowser, startBrowser, type Window } from './browser.ts';
import { expectFigure, readRows, show } from './pages.ts';
import { startDashboard, TOKEN, type DashboardScene } from './scene.ts';

describe('what developers see of their own use', function () {
  let provider: TestProvider;
  let scene: DashboardScene;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let cookie: string;
  before(async function () {
    requireBrowser(this);
    [browser, provider] = await Promise.all([startBrowser(), startProvider()]);
    const roles = { staff: 'developer', guests: 'developer' };
    const oidc = { issuer: provider.issuer, clientId: 'koine', clientSecret: 'provider-client-secret', roles };
    const personalKeys = { projects: { '*': 'acme/web' }, models: ['house/*'] };
    const server = { port: await findFreePort({ host: '127.0.0.1', port: 0 }) };
    scene = await startDashboard({ server, admin: { port: 0, token: TOKEN, oidc, personalKeys } });
    await provider.configure({ redirectUris: [`${scene.url}/admin/login/callback`] });
    ({ cookie } = await signIn(scene.url, 'emil'));
    window = await openWindow(browser, scene.url);
    ({ page } = window);
    const [name = '', value = ''] = (cookie.split('; ').find((each) => each.startsWith('koine_admin_')) ?? '').split(
      '=',
    );
    await page.context().addCookies([{ name, value, url: scene.url }]);
  });
  after(async () => {
    await browser?.close();
    await scene?.gateway.stop();
    await provider?.stop();
  });

  const create = async (of: string, name: string): Promise<string> => {
    const headers = { 'cookie': of, 'x-koine-page': '1', 'content-type': 'application/json' };
    const reply = await askAdmin(scene.gateway, 'POST', '/admin/me/keys', { name }, headers);
    return readJson<{ secret: string }>(reply, 201).secret;
  };

  it('own spending and own failures, and nothing of others', async () => {
    const own = await create(cookie, 'laptop');
    const other = await create((await signIn(scene.url, 'flora')).cookie, 'desk');
    expect(await scene.ask('house/talk', { secret: own })).to.equal(200);
    expect(await scene.ask('house/nowhere', { secret: own })).to.equal(404);
    expect(await scene.ask('house/quick', { secret: other })).to.equal(200);
    expect(await scene.ask('house/broken', { secret: other })).to.equal(503);
    expect(await scene.ask('house/talk', { headers: { 'x-koine-user': 'emil@acme.example' } })).to.equal(200);
    await scene.counted(4);
    await page.goto('about:blank');
    await show(page, 'my-keys');
    await expectFigure(page, 'own-use', 'Requests', '1');
    expect((await readRows(page, 'What you used, by model')).map(([model, count]) => [model, count])).to.deep.equal([
      ['house/talk', '1'],
    ]);
    await page.getByRole('table', { name: 'Your failures' }).waitFor();
    const failures = await readRows(page, 'Your failures');
    expect(failures.map(([, outcome, model]) => [outcome, model])).to.deep.equal([
      ['client error 404', 'house/nowhere'],
    ]);
    expect(failures[0]?.[3]).to.include('house/nowhere');
    for (const path of [
      '/admin/me/usage?by=provider',
      '/admin/me/usage?key=acme/web/desk',
      '/admin/me/requests?key=desk',
    ])
      expect((await askAdmin(scene.gateway, 'GET', path, undefined, { cookie })).status, path).to.equal(400);
  });

  it('a person without keys sees no request, not those of all', async () => {
    const { cookie: admin } = await signIn(scene.url, 'dora');
    const usage = await askAdmin(scene.gateway, 'GET', '/admin/me/usage', undefined, { cookie: admin });
    expect(readJson<{ totals: { exchanges: number } }>(usage).totals.exchanges).to.equal(0);
    const requests = await askAdmin(scene.gateway, 'GET', '/admin/me/requests', undefined, { cookie: admin });
    expect(readJson<{ requests: readonly unknown[] }>(requests).requests).to.deep.equal([]);
  });

  it('the port of the gateway, and the models that the key may use, in the lines of each agent', async () => {
    const { port } = new URL(scene.gateway.url);
    await page.locator('#my-keys').getByText(`curl http://127.0.0.1:${port}/v1/chat/completions`).waitFor();
    expect(await page.getByLabel('Model', { exact: true }).locator('option').allInnerTexts()).to.deep.equal([
      'house/talk',
      'house/quick',
      'house/flaky',
      'house/broken',
    ]);
    await page.getByLabel('Model', { exact: true }).selectOption('house/quick');
    await page.getByLabel('Use it with').selectOption('Claude Code');
    await page.getByText(`export ANTHROPIC_BASE_URL=http://127.0.0.1:${port}`).waitFor();
  });

  it('the page is accessible and fits the screen, at three widths, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}`).to.equal(true);
        await expectAccessible(page);
      }
    }
    expect(window.faults).to.deep.equal([]);
  });
});
