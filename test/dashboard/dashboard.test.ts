import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { UsageReport } from '../../plugins/ledger/api/report.ts';
import { formatCount, formatDollars } from '../../plugins/dashboard/page/data/format.js';
import { expectAccessible, openWindow, requireBrowser, startBrowser, saveScreenshot, type Window } from './browser.ts';
import { inventHistory, inventUnits, makeTraffic, startDashboard, TOKEN, type DashboardScene } from './scene.ts';

const themes = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The text of the cells of a table body, by row. */
const readRows = async (page: Page, caption: string): Promise<readonly (readonly string[])[]> => {
  const rows = await page.getByRole('table', { name: caption, exact: true }).locator('tbody tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('> *').allInnerTexts()).map((text) => text.trim())));
};

const tile = (page: Page, section: string, name: string) =>
  page.locator(`#${section} .tile`, { has: page.getByText(name, { exact: true }) }).locator('.figure');

describe('the dashboard in a browser', function () {
  let browser: Browser;
  let scene: DashboardScene;
  let window: Window;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    browser = await startBrowser();
    scene = await startDashboard({ admin: { port: 0, token: TOKEN } });
    await makeTraffic(scene);
    inventHistory(scene);
    window = await openWindow(browser, scene.url);
    page = window.page;
  });
  after(async () => {
    await browser?.close();
    await scene?.gateway.stop();
  });

  const signIn = async (): Promise<void> => {
    await page.getByLabel('Admin token').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
  };
  /** The usage of the last day from the usage API. */
  const readUsage = (more: string): Promise<UsageReport> =>
    scene.usage<UsageReport>(
      `from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}&to=${new Date().toISOString()}&${more}`,
    );
  const expectTable = async (by: 'model' | 'key', caption: string, only = ''): Promise<UsageReport> => {
    const report = await readUsage(`by=${by}${only}`);
    const rows = await readRows(page, caption);
    expect(
      rows.map(([name = '', requests, cost]) => [name.replace(/\s*: show only this$/, ''), requests, cost]),
    ).to.have.deep.members(
      report.lines.map((line) => [line[by], formatCount(line.exchanges), formatDollars(line.cost)]),
    );
    return report;
  };
  const expectFigure = async (section: string, name: string, value: string): Promise<void> =>
    tile(page, section, name).getByText(value, { exact: true }).waitFor();

  it('requires the admin token and reports a wrong one', async () => {
    await page.goto('/');
    expect(await page.title()).to.equal('Sign in · Koine');
    await expectAccessible(page);
    await page.getByLabel('Admin token').fill('another');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not the admin token').waitFor();
    await expectAccessible(page);
    // The browser logs the 401 of the wrong token.
    expect(window.faults.splice(0).filter((fault) => !fault.includes('401'))).to.deep.equal([]);
    await signIn();
    expect(await page.evaluate('document.cookie')).to.equal('');
  });

  it('shows the usage of the ledger to the last cent', async () => {
    const { totals } = await expectTable('model', 'Usage by model');
    expect(totals.exchanges).to.be.greaterThan(100);
    await expectFigure('usage', 'Requests', formatCount(totals.exchanges));
    await expectFigure('usage', 'Cost', formatDollars(totals.cost));
    await expectFigure('usage', 'Input tokens', formatCount(totals.tokens.input));
    await expectFigure('usage', 'Output tokens', formatCount(totals.tokens.output));
    await expectFigure('usage', 'Saved', formatDollars(totals.cache.saved));
    await expectFigure('usage', 'Tokens read', formatCount(totals.tokens.cacheRead));
    expect(Number(totals.cache.saved)).to.be.greaterThan(0);
  });

  it('filters and groups usage, and shows the figures of the ledger', async () => {
    await page.getByRole('button', { name: 'house/quick' }).click();
    await page.getByRole('table', { name: 'Usage by key' }).waitFor();
    const { totals, lines } = await expectTable('key', 'Usage by key', '&model=house/quick');
    expect(lines.length).to.be.greaterThan(1);
    await expectFigure('usage', 'Requests', formatCount(totals.exchanges));
    await page.getByRole('button', { name: 'Model: house/quick' }).click();
    await page.getByLabel('Group by', { exact: true }).selectOption('model');
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    await expectTable('model', 'Usage by model');
    for (const range of ['7d', '30d', '1y']) {
      await page.getByLabel('Period', { exact: true }).selectOption(range);
      await page.locator('#usage[aria-busy=false]').waitFor();
      await page.getByText('Show as table').click();
      const rows = await readRows(page, `Cost by model and ${range === '1y' ? 'month' : 'day'}`);
      const dollars = rows.map((row) => Number(row.at(-1)?.slice(1))).reduce((sum, cost) => sum + cost, 0);
      expect(dollars, range).to.be.closeTo(Number((await tile(page, 'usage', 'Cost').innerText()).slice(1)), 0.011);
      await page.getByText('Show as table').click();
    }
    await page.getByLabel('Period', { exact: true }).selectOption('custom');
    await page.getByLabel('First day').fill('2000-01-01');
    await page.getByLabel('Last day').fill('2000-01-31');
    await page.getByText('No usage in this period.').waitFor();
    await expectFigure('usage', 'Cost', '$0.00');
    await page.getByLabel('Period', { exact: true }).selectOption('24h');
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
  });

  it('groups usage by end user and by tag, and filters by them', async () => {
    const { totals } = await readUsage('by=model');
    const headers = { 'x-koine-user': 'ann', 'x-koine-tags': 'feature=chat' };
    expect(await scene.ask('house/talk', { headers })).to.equal(200);
    await scene.counted(totals.exchanges + 1);
    const names = async (caption: string): Promise<readonly unknown[]> => {
      const rows = await readRows(page, caption);
      return rows.map(([name = '', requests]) => [name.replace(/\s*: show only this$/, ''), requests]).slice(0, 2);
    };
    await page.getByLabel('Group by', { exact: true }).selectOption('user');
    await page.getByRole('table', { name: 'Usage by end user' }).getByRole('button', { name: 'ann' }).waitFor();
    expect(await names('Usage by end user')).to.deep.include(['ann', '1']);
    await page.getByLabel('Group by', { exact: true }).selectOption('tag');
    await page.getByLabel('Name of the tag').fill('feature');
    await page.getByLabel('Name of the tag').press('Enter');
    await page.getByRole('table', { name: 'Usage by tag feature' }).getByRole('button', { name: 'chat' }).click();
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    await expectFigure('usage', 'Requests', '1');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Tag feature: chat' }).click();
    await expectFigure('usage', 'Requests', formatCount(totals.exchanges + 1));
    await expectTable('model', 'Usage by model');
  });

  it('shows a new request without a reload of the page', async () => {
    await page.evaluate('globalThis.isSame = true');
    const { totals } = await readUsage('by=model');
    expect(await scene.ask('house/talk', { stream: true })).to.equal(200);
    await scene.counted(totals.exchanges + 1);
    await page
      .locator('#usage .tile')
      .getByText(formatCount(totals.exchanges + 1), { exact: true })
      .waitFor({ timeout: 20_000 });
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('shows web searches and images when there are any', async () => {
    expect(await tile(page, 'usage', 'Web searches').count()).to.equal(0);
    inventUnits(scene);
    const { totals, lines } = await readUsage('by=model');
    await tile(page, 'usage', 'Images').waitFor({ timeout: 20_000 });
    expect(await tile(page, 'usage', 'Web searches').innerText()).to.equal(formatCount(totals.exchanges));
    expect(await tile(page, 'usage', 'Images').innerText()).to.equal(formatCount(2 * totals.exchanges));
    const rows = await readRows(page, 'Usage by model');
    expect(rows.map((row) => row.slice(-2))).to.have.deep.members(
      lines.map(({ exchanges }) => [formatCount(exchanges), formatCount(2 * exchanges)]),
    );
  });

  it('shows the use of limits, calls to providers, and the attempts of a request', async () => {
    expect((await readRows(page, 'Most used first, counted by this host'))[0]?.slice(0, 2)).to.deep.equal([
      'acme / batch / carol\nkey: requests per 1h',
      '4 of 4 (100%)',
    ]);
    const [away, simulator] = await readRows(page, 'Calls to providers');
    expect([away?.[0], away?.[3], away?.at(-1)]).to.deep.equal(['away', '0%', 'upstream error 4']);
    expect(simulator?.at(-1)).to.equal('upstream error 2');
    await page.getByLabel('Show', { exact: true }).selectOption('failed');
    await page.getByText('upstream error', { exact: true }).first().waitFor();
    expect((await readRows(page, 'Recent requests, newest first')).map(([, outcome]) => outcome)).to.deep.equal([
      'rate limited 429',
      'rate limited 429',
      'upstream error 503',
    ]);
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await page.getByLabel('Find model, key, user or request id').fill('flaky');
    const toggle = page.locator('#exchanges .toggle').first();
    await toggle.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).to.equal('true');
    const attempts = await page.locator('#exchanges ol li').allInnerTexts();
    expect(attempts[0]).to.match(/^away\/flaky with none: no response, transient/);
    expect(attempts.at(-1)).to.match(/^simulator\/chat with none: 200, .*translated lane\s+Losses: logit_bias dropped/);
    await page.getByLabel('Find model, key, user or request id').fill('');
  });

  for (const { name, colorScheme, ...viewport } of themes)
    it(`the dashboard is accessible and fits the screen: ${name}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.waitForTimeout(300);
      await expectAccessible(page);
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        'the page does not scroll sideways',
      ).to.equal(true);
      await saveScreenshot(page, `dashboard-${name}`);
    });

  it('keeps the session through reloads of the configuration and shows their results', async () => {
    const { file, hash } = scene.gateway.gateway.reloads.live;
    expect(await page.locator('#configuration code').innerText()).to.equal(hash);
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, `${good}\nno-such-setting: 1\n`);
    expect((await scene.gateway.gateway.reloads.request('file')).result).to.equal('failed');
    await page.locator('#configuration .problems').getByText('no-such-setting').waitFor();
    await page.locator('#configuration').getByText('The previous configuration stays active.').waitFor();
    await expectAccessible(page);
    writeFileSync(file, `${good}\naliases: { talk: house/talk }\n`);
    await page.getByRole('button', { name: 'Reload from the file' }).click();
    await page.getByText('The configuration was reloaded.').waitFor();
    expect(scene.gateway.gateway.reloads.live.hash).to.not.equal(hash);
    await page.locator('#configuration code').getByText(scene.gateway.gateway.reloads.live.hash).waitFor();
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('the dashboard causes no console error, no call to another host and no violation of the policy', () =>
    expect(window.faults).to.deep.equal([]));

  it('ends the session with the sign-out button', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.goto('/');
    expect(await page.title()).to.equal('Sign in · Koine');
  });
});
