import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { expectAccessible, openWindow, requireBrowser, startBrowser } from './browser.ts';
import { show } from './pages.ts';
import { startDashboard, TOKEN, type DashboardScene } from './scene.ts';

describe('the roles of operators in the dashboard', function () {
  let provider: TestProvider;
  let scene: DashboardScene;
  let page: Page;
  let close: () => Promise<void>;
  before(async function () {
    requireBrowser(this);
    provider = await startProvider();
    const roles = { platform: 'admin', staff: 'viewer' };
    const oidc = { issuer: provider.issuer, clientId: 'koine', clientSecret: 'provider-client-secret', roles };
    scene = await startDashboard({ admin: { port: 0, token: TOKEN, oidc } });
    await provider.configure({ redirectUris: [`${scene.url}/admin/login/callback`] });
    const browser = await startBrowser();
    ({ page } = await openWindow(browser, scene.url));
    close = () => browser.close();
  });
  after(async () => {
    await close?.();
    await scene?.gateway.stop();
    await provider?.stop();
  });

  it('what the role of a viewer does not permit is disabled, with the role that is needed', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await page.fill('input[name=login]', 'emil');
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
    await page.getByText('emil@acme.example').waitFor();
    await show(page, 'keys');
    await page.getByText('Your role is viewer. This needs the role editor.').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).isDisabled()).to.equal(true);
    expect(await page.getByRole('checkbox').count()).to.equal(0);
    await expectAccessible(page);
    await show(page, 'configuration');
    await page.getByText('This needs the role admin.').waitFor();
    expect(await page.getByRole('button', { name: 'Reload from the file' }).isDisabled()).to.equal(true);
  });
});
