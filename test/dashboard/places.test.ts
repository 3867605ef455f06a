import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { expectAccessible, openWindow, requireBrowser, startBrowser, type Window } from './browser.ts';
import { readAgain, show } from './pages.ts';
import { startDashboard, type DashboardScene } from './scene.ts';

const noticeboard = fileURLToPath(new URL('../fixtures/extensions/noticeboard/index.ts', import.meta.url));
/** Errors that the browser logs while the gateway is down or starting. */
const CONNECTION_ERRORS = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|503 \(Service Unavailable\)/;

describe('the dashboard without a token', function () {
  let browser: Browser;
  let scene: DashboardScene | undefined;
  let window: Window | undefined;
  before(async function () {
    requireBrowser(this);
    browser = await startBrowser();
  });
  after(() => browser?.close());
  afterEach(async () => {
    await window?.close();
    await scene?.gateway.stop();
    [window, scene] = [undefined, undefined];
  });

  it('explains how to make a key and send a request before the first one, and shows zeros', async () => {
    scene = await startDashboard();
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    await page.getByText('No requests in the last 24 hours.').waitFor();
    const curl = page.getByText(/^curl http/);
    await curl.getByText('"model":"house/').waitFor();
    expect(await curl.innerText())
      .to.include('/v1/chat/completions')
      .and.include('Bearer $KOINE_KEY');
    const figures = async (section: string): Promise<readonly string[]> =>
      page.locator(`#${section} .figure`).allInnerTexts();
    expect(await figures('now')).to.deep.equal(['0', '–', '–', '–', '–']);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('dialog', { name: 'Create a key' }).waitFor();
    await show(page, 'usage');
    await page.getByText('No usage in this period.').waitFor();
    expect((await figures('usage')).slice(0, 3)).to.deep.equal(['0', '–', '$0.00']);
    await show(page, 'limits');
    expect(await page.locator('#limits .fill').allInnerTexts()).to.deep.equal([
      '$0.00 of $50.00 (0%)',
      '0 of 4 (0%)',
      '0 of 200,000 (0%)',
      '0 of 60 (0%)',
      '0 of 8 (0%)',
      '0 of 30 (0%)',
    ]);
    await show(page, 'providers');
    await page.getByText('No provider has been called yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).to.equal(0);
    await expectAccessible(page);
    expect(faults).to.deep.equal([]);
  });

  it('reports once that the gateway is unreachable, and recovers when it is back', async () => {
    scene = await startDashboard();
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    await page.getByText('No requests in the last 24 hours.').waitFor();
    await page.evaluate('globalThis.isSame = true');
    const { port } = new URL(scene.url);
    await scene.gateway.stop();
    await page.getByText('The gateway does not respond. Trying again every few seconds.').waitFor();
    await readAgain(page);
    await page.waitForTimeout(2_000);
    expect(await page.getByText('does not respond').count()).to.equal(1);
    expect(await page.locator('.problem').count()).to.equal(0);
    await expectAccessible(page);
    scene = await startDashboard({ admin: { port: Number(port) } });
    await page.locator('.away').waitFor({ state: 'detached' });
    expect(await scene.ask('house/quick')).to.equal(200);
    await page.locator('#latest').getByRole('rowheader').waitFor();
    expect(await page.evaluate('isSame')).to.equal(true);
    expect(faults.filter((fault) => !CONNECTION_ERRORS.test(fault))).to.deep.equal([]);
  });

  it('explains how to configure a plugin that is missing', async () => {
    scene = await startDashboard({ plugins: [{ use: 'auth' }, { use: 'dashboard' }], organizations: {} });
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    for (const [address, section, plugin] of [
      ['overview', 'now', 'metrics'],
      ['overview', 'top-model', 'ledger'],
      ['usage', 'usage', 'ledger'],
      ['limits', 'limits', 'rate-limit'],
      ['providers', 'health', 'ledger'],
      ['providers', 'calls', 'metrics'],
    ] as const) {
      await show(page, address);
      await page.locator(`#${section}`).getByText(`add “use: ${plugin}” to the plugins`).waitFor();
    }
    await expectAccessible(page);
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
  });

  it('without a ledger, the requests that the host has in memory can be searched', async () => {
    scene = await startDashboard({ plugins: ['auth', 'rate-limit', 'failover', 'dashboard'].map((use) => ({ use })) });
    window = await openWindow(browser, scene.url);
    const { page } = window;
    expect(await scene.ask('house/quick', { key: 'bob' })).to.equal(200);
    expect(await scene.ask('house/broken')).to.equal(503);
    await page.goto('/');
    await show(page, 'requests?outcome=failure');
    await page.getByText('The last 200 of this host.').waitFor();
    const rows = page.getByRole('table', { name: 'Requests, newest first' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).to.equal(1);
    await rows.first().getByRole('button').click();
    await page.locator('#requests .trail').getByText('simulator/chat').first().waitFor();
    await show(page, 'requests?key=acme/web/bob');
    await rows.filter({ hasText: 'house/quick' }).waitFor();
    expect(await rows.count()).to.equal(1);
  });

  it('shows panels of other plugins, and links to their pages, which can run their own files but no inline scripts', async () => {
    scene = await startDashboard({
      plugins: [
        { use: 'metrics' },
        { use: 'auth' },
        { use: 'dashboard' },
        { use: noticeboard, config: { notice: 'Closed on Sundays' } },
      ],
      organizations: {},
    });
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/#/providers');
    const panel = page.locator('section.panel', { has: page.getByRole('heading', { name: 'Board' }) });
    await panel.getByText('Read on weekdays.').waitFor();
    expect(await panel.locator('.figure').allInnerTexts()).to.deep.equal(['1']);
    expect(await panel.getByRole('row').last().allInnerTexts()).to.deep.equal(['<b>Closed on Sundays</b>\t3 d']);
    await expectAccessible(page);
    await page.goto('/#/');
    await page.getByText('Rain.').waitFor();
    await page.getByRole('navigation', { name: 'Plugin pages' }).getByRole('link', { name: 'Notices' }).click();
    await page.getByRole('heading', { name: 'Closed on Sundays, read' }).waitFor();
    expect(await page.title()).to.equal('Notices');
    expect(faults.some((fault) => fault.includes('inline script'))).to.equal(true);
    expect(await (await fetch(`${scene.url}/metrics`)).text()).to.include('noticeboard_views_total 1\n');
  });
});
