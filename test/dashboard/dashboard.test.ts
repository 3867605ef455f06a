import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { UsageReport } from '../../plugins/ledger/api/report.ts';
import { writeCount, writeDollars } from '../../plugins/dashboard/page/format.js';
import { checkAccess, openWindow, requireBrowser, startBrowser, takePicture, type Window } from './browser.ts';
import { inventHistory, makeTraffic, startDashboard, TOKEN, type DashboardScene } from './scene.ts';

const looks = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The words of a table below its head, row by row. */
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
  /** The figures of the last day as the ledger has them, by one of its words. */
  const ask = (more: string): Promise<UsageReport> =>
    scene.usage<UsageReport>(
      `from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}&to=${new Date().toISOString()}&${more}`,
    );
  const expectTable = async (by: 'model' | 'key', caption: string, only = ''): Promise<UsageReport> => {
    const report = await ask(`by=${by}${only}`);
    const rows = await readRows(page, caption);
    expect(
      rows.map(([name = '', requests, cost]) => [name.replace(/\s*: only this$/, ''), requests, cost]),
    ).to.have.deep.members(report.lines.map((line) => [line[by], writeCount(line.exchanges), writeDollars(line.cost)]));
    return report;
  };
  const expectFigure = async (section: string, name: string, value: string): Promise<void> =>
    tile(page, section, name).getByText(value, { exact: true }).waitFor();

  it('asks for the admin token, and says when it is another', async () => {
    await page.goto('/');
    expect(await page.title()).to.equal('Sign in · Koine');
    await checkAccess(page);
    await page.getByLabel('Admin token').fill('another');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not the admin token').waitFor();
    await checkAccess(page);
    // The browser itself writes down that an answer was a 401.
    expect(window.faults.splice(0).filter((fault) => !fault.includes('401'))).to.deep.equal([]);
    await signIn();
    expect(await page.evaluate('document.cookie')).to.equal('');
  });

  it('shows what the ledger says, to the last cent', async () => {
    const { totals } = await expectTable('model', 'Usage by model');
    expect(totals.exchanges).to.be.greaterThan(100);
    await expectFigure('usage', 'Requests', writeCount(totals.exchanges));
    await expectFigure('usage', 'Cost', writeDollars(totals.cost));
    await expectFigure('usage', 'Input tokens', writeCount(totals.tokens.input));
    await expectFigure('usage', 'Output tokens', writeCount(totals.tokens.output));
    await expectFigure('usage', 'Saved', writeDollars(totals.cache.saved));
    await expectFigure('usage', 'Tokens read', writeCount(totals.tokens.cacheRead));
    expect(Number(totals.cache.saved)).to.be.greaterThan(0);
  });

  it('filters by what is chosen, and shows what the ledger says of that', async () => {
    await page.getByRole('button', { name: 'house/quick' }).click();
    await page.getByRole('table', { name: 'Usage by key' }).waitFor();
    const { totals, lines } = await expectTable('key', 'Usage by key', '&model=house/quick');
    expect(lines.length).to.be.greaterThan(1);
    await expectFigure('usage', 'Requests', writeCount(totals.exchanges));
    await page.getByRole('button', { name: 'Model: house/quick' }).click();
    await page.getByLabel('By', { exact: true }).selectOption('model');
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    await expectTable('model', 'Usage by model');
    for (const range of ['7d', '30d', '1y']) {
      await page.getByLabel('Time', { exact: true }).selectOption(range);
      await page.locator('#usage[aria-busy=false]').waitFor();
      await page.getByText('The chart as a table').click();
      const rows = await readRows(page, `Cost by model and ${range === '1y' ? 'month' : 'day'}`);
      const dollars = rows.map((row) => Number(row.at(-1)?.slice(1))).reduce((sum, cost) => sum + cost, 0);
      expect(dollars, range).to.be.closeTo(Number((await tile(page, 'usage', 'Cost').innerText()).slice(1)), 0.011);
      await page.getByText('The chart as a table').click();
    }
    await page.getByLabel('Time', { exact: true }).selectOption('own');
    await page.getByLabel('First day').fill('2000-01-01');
    await page.getByLabel('Last day').fill('2000-01-31');
    await page.getByText('Nothing was used in this time.').waitFor();
    await expectFigure('usage', 'Cost', '$0.00');
    await page.getByLabel('Time', { exact: true }).selectOption('24h');
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
  });

  it('lives: a request is seen without the page being loaded again', async () => {
    await page.evaluate('globalThis.isSame = true');
    const { totals } = await ask('by=model');
    expect(await scene.ask('house/talk', { stream: true })).to.equal(200);
    await scene.counted(totals.exchanges + 1);
    await page
      .locator('#usage .tile')
      .getByText(writeCount(totals.exchanges + 1), { exact: true })
      .waitFor({ timeout: 20_000 });
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('shows how full limits are, what providers did, and how a request came to its answer', async () => {
    expect((await readRows(page, 'The fullest first, counted by this host'))[0]?.slice(0, 2)).to.deep.equal([
      'acme / batch / carol\nkey: requests per 1h',
      '4 of 4 (100%)',
    ]);
    const [away, simulator] = await readRows(page, 'Calls to providers');
    expect([away?.[0], away?.[3], away?.at(-1)]).to.deep.equal(['away', '0%', 'upstream error 4']);
    expect(simulator?.at(-1)).to.equal('upstream error 2');
    await page.getByLabel('Show', { exact: true }).selectOption('failed');
    await page.getByText('upstream error', { exact: true }).first().waitFor();
    expect((await readRows(page, 'The latest, newest first')).map(([, outcome]) => outcome)).to.deep.equal([
      'rate limited 429',
      'rate limited 429',
      'upstream error 503',
    ]);
    await page.getByLabel('Show', { exact: true }).selectOption('all');
    await page.getByLabel('Find model, key or request id').fill('flaky');
    const toggle = page.locator('#exchanges .toggle').first();
    await toggle.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).to.equal('true');
    const attempts = await page.locator('#exchanges ol li').allInnerTexts();
    expect(attempts[0]).to.match(/^away\/flaky with none: no answer, transient/);
    expect(attempts.at(-1)).to.match(/^simulator\/chat with none: 200, .*translated lane\s+Losses: logit_bias dropped/);
    await page.getByLabel('Find model, key or request id').fill('');
  });

  for (const { name, colorScheme, ...viewport } of looks)
    it(`can be read by everyone: ${name}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.waitForTimeout(300);
      await checkAccess(page);
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        'nothing sticks out at the side',
      ).to.equal(true);
      await takePicture(page, `dashboard-${name}`);
    });

  it('stays signed in through a reload of the configuration, and shows what became of it', async () => {
    const { file, hash } = scene.gateway.gateway.reloads.live;
    expect(await page.locator('#configuration code').innerText()).to.equal(hash);
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, `${good}\nno-such-setting: 1\n`);
    expect((await scene.gateway.gateway.reloads.request('file')).result).to.equal('failed');
    await page.locator('#configuration .problems').getByText('no-such-setting').waitFor();
    await page.locator('#configuration').getByText('The configuration before stays in force.').waitFor();
    await checkAccess(page);
    writeFileSync(file, `${good}\naliases: { talk: house/talk }\n`);
    await page.getByRole('button', { name: 'Reload from the file' }).click();
    await page.getByText('The configuration was reloaded.').waitFor();
    expect(scene.gateway.gateway.reloads.live.hash).to.not.equal(hash);
    await page.locator('#configuration code').getByText(scene.gateway.gateway.reloads.live.hash).waitFor();
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('has done nothing that it should not: no error, no other host, nothing that the policy kept out', () =>
    expect(window.faults).to.deep.equal([]));

  it('lets people leave', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.goto('/');
    expect(await page.title()).to.equal('Sign in · Koine');
  });
});
