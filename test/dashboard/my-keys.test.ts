import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { send } from '../support/http.ts';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { expectAccessible, openWindow, requireBrowser, saveScreenshot, startBrowser, type Window } from './browser.ts';
import { show } from './pages.ts';
import { startDashboard, TOKEN, type DashboardScene } from './scene.ts';

/** How much of a secret the gateway shows later. */
const PREFIX_LENGTH = 'koine_'.length + 8;
const body = JSON.stringify({ model: 'house/quick', max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] });

describe('the page My keys of the dashboard', function () {
  let provider: TestProvider;
  let scene: DashboardScene;
  let browser: Browser;
  let window: Window;
  let page: Page;
  const signIn = async (name: string, path = '/'): Promise<void> => {
    await window?.close();
    window = await openWindow(browser, scene.url);
    ({ page } = window);
    await page.goto(path);
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await page.fill('input[name=login]', name);
    await page.fill('input[name=password]', 'anything');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
    await page.locator('main h1, main .card').first().waitFor();
    // Those of the pages of the provider.
    window.faults.length = 0;
  };
  before(async function () {
    requireBrowser(this);
    [browser, provider] = await Promise.all([startBrowser(), startProvider()]);
    const roles = { platform: 'admin', staff: 'developer', guests: 'developer' };
    const oidc = { issuer: provider.issuer, clientId: 'koine', clientSecret: 'provider-client-secret', roles };
    const personalKeys = {
      projects: { staff: 'acme/web', platform: 'acme/batch' },
      maxKeys: 2,
      models: ['house/*'],
      limits: [{ requests: 60, per: '1m' }],
      url: 'https://llm.example.com',
    };
    scene = await startDashboard({ admin: { port: 0, token: TOKEN, oidc, personalKeys } });
    await provider.configure({ redirectUris: [`${scene.url}/admin/login/callback`] });
  });
  after(async () => {
    await browser?.close();
    await scene?.gateway.stop();
    await provider?.stop();
  });

  const waitForStatus = async (secret: string, status: number): Promise<void> => {
    const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' };
    for (let waited = 0; ; waited += 50) {
      const reply = await send(scene.gateway.url, { path: '/v1/chat/completions', headers, body });
      if (reply.status === status) return;
      if (waited > 20_000) throw new Error(`the status is still not ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const takeSecret = async (): Promise<string> => {
    const text = await page.locator('dialog .secret code').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'The secret is stored' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).to.not.include(text);
    // The list is read again.
    await page.getByRole('table', { name: 'My keys' }).getByText(text.slice(0, PREFIX_LENGTH)).waitFor();
    return text;
  };
  const create = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create the key' }).click();
  };
  const row = (name: string) => page.getByRole('table', { name: 'My keys' }).locator('tbody tr', { hasText: name });
  let secret = '';

  it('a developer sees this page, the playground and the own sessions only, with what to do first', async () => {
    await signIn('emil');
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()).to.deep.equal([
      'My keys',
      'Playground',
      'Sessions',
    ]);
    expect(await page.locator('nav [aria-current=page]').allInnerTexts()).to.deep.equal(['My keys']);
    await page.locator('#my-keys').getByText('60 requests per 1m').waitFor();
    await expectAccessible(page);
    await show(page, 'my-keys');
    await page.goto('/#/requests');
    await page.getByText('The page Requests needs the role viewer. Your role is developer.').waitFor();
    await page.getByRole('link', { name: 'My keys' }).last().click();
  });

  it('makes a key, reports a mistake at its field, and shows the secret once with lines that use it', async () => {
    await create('two words');
    await page.locator('#my-key-name-error').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('laptop');
    await page.getByLabel('Models', { exact: true }).fill('house/quick');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByText('curl https://llm.example.com/v1/chat/completions').waitFor();
    await dialog.getByText('"model":"house/quick"').waitFor();
    await dialog.getByLabel('Use it with').selectOption('Claude Code');
    await dialog.getByText('export ANTHROPIC_BASE_URL=https://llm.example.com').waitFor();
    await dialog.getByLabel('Use it with').selectOption('Codex');
    await dialog.getByText('base_url = "https://llm.example.com/v1"').waitFor();
    await expectAccessible(page);
    secret = await takeSecret();
    await waitForStatus(secret, 200);
    const cells = await row('laptop').locator('> *').allInnerTexts();
    expect(cells.slice(1, 4).map((cell) => cell.trim())).to.deep.equal(['active', 'house/quick', '60 requests per 1m']);
  });

  it('the page of personal keys is accessible and fits the screen, at three widths, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}`).to.equal(true);
        await saveScreenshot(page, `dashboard-my-keys-${width}-${colorScheme}`);
        await expectAccessible(page);
      }
    }
  });

  it('rotates an own key, and revokes it after a confirmation', async () => {
    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByLabel('Overlap').fill('');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const renewed = await takeSecret();
    await waitForStatus(secret, 401);
    await waitForStatus(renewed, 200);
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke permanently' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await waitForStatus(renewed, 401);
    await row('laptop').getByText('revoked').first().waitFor();
    expect(await page.getByRole('button', { name: 'Revoke laptop' }).count()).to.equal(0);
  });

  it('shows in the form why the gateway makes no further key', async () => {
    await create('desk');
    await takeSecret();
    await create('third');
    await page.locator('dialog').getByRole('alert').waitFor();
    expect(await page.locator('dialog').getByRole('alert').innerText()).to.match(/\b2\b/);
    await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
  });

  it('a developer calls nothing that the role does not permit', () =>
    expect(window.faults.filter((fault) => !/status of 40[09]|favicon/.test(fault))).to.deep.equal([]));

  it('the page says whom a person without a project can ask', async () => {
    await signIn('flora');
    await page.getByText('There is no project in which you can make keys.').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).to.equal(0);
    await expectAccessible(page);
  });

  it('an admin has the page beside the others, and chooses the project of a key', async () => {
    await signIn('dora', '/#/my-keys');
    await page.getByText('You have no keys yet.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts())
      .to.include.members(['Overview', 'Keys', 'Audit'])
      .and.include('My keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Project', { exact: true }).selectOption('acme/batch');
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await takeSecret();
    await row('nightly').getByText('acme/batch').waitFor();
    await show(page, 'keys?find=dora@acme.example');
    await page.getByRole('link', { name: 'nightly' }).click();
    await page.locator('#key').getByText('dora@acme.example').waitFor();
  });
});
