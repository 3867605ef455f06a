import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { drawn, expectAccessible, requireBrowser, saveScreenshot } from './browser.ts';
import { openDashboard, readAgain, show, signIn, type OpenDashboard } from './pages.ts';
import { TOKEN } from './scene.ts';

const pages = {
  overview: 'overview',
  requests: 'requests',
  usage: 'usage',
  keys: 'keys',
  key: 'keys/acme%2Fweb%2Falice',
  tenants: 'tenants',
  limits: 'limits',
  providers: 'providers',
  playground: 'playground',
  explain: 'explain?key=acme/web/alice&model=house/flaky',
  configuration: 'configuration',
  audit: 'audit',
  sessions: 'sessions',
};
const widths = [360, 900, 1280, 1920];

/** The tables that have to be scrolled sideways. The one of a chart has a column for each of its lines. */
const cutTables = `[...document.querySelectorAll('main .scroll')]
  .filter((each) => each.scrollWidth > each.clientWidth && each.closest('details') === null)
  .map((each) => each.ariaLabel)`;

describe('the dashboard in a browser', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  for (const [name, address] of Object.entries(pages))
    it(`the page ${name} is accessible and fits the screen, at four widths, light and dark`, async () => {
      await show(page, address);
      if (name === 'explain') await page.getByRole('button', { name: 'Explain', exact: true }).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await drawn(page);
          expect(
            await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            `${width} pixels: the page does not scroll sideways`,
          ).to.equal(true);
          expect(await page.evaluate(cutTables), `${width} pixels: tables that are cut`).to.deep.equal([]);
          await saveScreenshot(page, `dashboard-${name}-${width}-${colorScheme}`);
          if (width === 360 || width === 1920) await expectAccessible(page, colorScheme === 'light' ? 'all' : 'colors');
        }
      }
    });

  it('works by keyboard, and the navigation marks the page', async () => {
    await show(page, 'overview');
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Usage', exact: true }).first();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect(await page.locator('nav [aria-current=page]').allInnerTexts()).to.deep.equal(['Usage']);
    expect(await page.title()).to.equal('Usage · Koine');
  });

  it('keeps the session through reloads of the configuration and shows their results', async () => {
    const { gateway } = dashboard.scene.gateway;
    await show(page, 'configuration');
    await page.evaluate('globalThis.isSame = true');
    const { file, hash } = gateway.reloads.live;
    expect(await page.locator('#configuration code').innerText()).to.equal(hash);
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, `${good}\nno-such-setting: 1\n`);
    expect((await gateway.reloads.request('file')).result).to.equal('failed');
    await readAgain(page);
    await page.locator('#configuration .problems').getByText('no-such-setting').waitFor();
    await page.locator('#configuration').getByText('The previous configuration stays active.').waitFor();
    await expectAccessible(page);
    writeFileSync(file, `${good}\naliases: { talk: house/talk }\n`);
    await page.getByRole('button', { name: 'Reload from the file' }).click();
    await page.getByText('The configuration was reloaded.').waitFor();
    expect(gateway.reloads.live.hash).to.not.equal(hash);
    await page.locator('#configuration code').getByText(gateway.reloads.live.hash).waitFor();
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('the dashboard causes no console error, no call to another host and no violation of the policy', () =>
    expect(dashboard.window.faults).to.deep.equal([]));

  it('ends the session with the sign-out button, and reports a wrong token', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.goto('/');
    expect(await page.title()).to.equal('Sign in · Koine');
    await expectAccessible(page);
    await page.getByLabel('Admin token').fill('another');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not the admin token').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('document.cookie')).to.equal('');
  });

  it('returns to the page where the session ended', async () => {
    await page.goto('/');
    await signIn(page);
    await show(page, 'limits?owner=acme');
    await page.context().clearCookies();
    await readAgain(page);
    await page.getByLabel('Admin token').waitFor();
    await page.getByLabel('Admin token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    expect(page.url()).to.match(/#\/limits\?owner=acme$/);
  });
});
