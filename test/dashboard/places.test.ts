import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { expectAccessible, openWindow, requireBrowser, startBrowser, type Window } from './browser.ts';
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

  it('shows zeros before the first request', async () => {
    scene = await startDashboard();
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    await page.getByText('No requests yet.').waitFor();
    await page.getByText('No usage in this period.').waitFor();
    for (const part of ['#now .figure', '#limits .fill', '#providers tbody td'])
      await page.locator(part).first().waitFor();
    const figures = async (section: string): Promise<readonly string[]> =>
      page.locator(`#${section} .figure`).allInnerTexts();
    expect(await figures('now')).to.deep.equal(['0', '–', '0', '–', '–', '–']);
    expect(await figures('usage')).to.deep.equal(['0', '$0.00', '0', '0', '–', '–', '$0.00', '$0.00', '–', '0', '0']);
    expect(await page.locator('#limits .fill').allInnerTexts()).to.deep.equal([
      '$0.00 of $50.00 (0%)',
      '0 of 200,000 (0%)',
      '0 of 60 (0%)',
      '0 of 8 (0%)',
      '0 of 30 (0%)',
      '0 of 4 (0%)',
    ]);
    expect(await page.locator('#providers tbody td.number').allInnerTexts()).to.deep.equal([
      '0',
      '–',
      '–',
      '–',
      '0',
      '–',
      '–',
      '–',
    ]);
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).to.equal(0);
    await expectAccessible(page);
    expect(faults).to.deep.equal([]);
  });

  it('reports that the gateway is unreachable and recovers when it is back', async () => {
    scene = await startDashboard();
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    await page.getByText('No requests yet.').waitFor();
    await page.evaluate('globalThis.isSame = true');
    const { port } = new URL(scene.url);
    await scene.gateway.stop();
    await page.getByText('The gateway does not respond. Trying again every few seconds.').waitFor();
    await expectAccessible(page);
    scene = await startDashboard({ admin: { port: Number(port) } });
    await page.locator('header .unreachable').waitFor({ state: 'detached' });
    expect(await scene.ask('house/quick')).to.equal(200);
    await page.locator('#exchanges').getByRole('rowheader').waitFor();
    await page.locator('#usage .problem').waitFor({ state: 'detached' });
    expect(await page.evaluate('isSame')).to.equal(true);
    expect(faults.filter((fault) => !CONNECTION_ERRORS.test(fault))).to.deep.equal([]);
  });

  it('explains how to configure a plugin that is missing', async () => {
    scene = await startDashboard({ plugins: [{ use: 'auth' }, { use: 'dashboard' }], organizations: {} });
    window = await openWindow(browser, scene.url);
    const { page, faults } = window;
    await page.goto('/');
    for (const [section, plugin] of [
      ['now', 'metrics'],
      ['usage', 'ledger'],
      ['limits', 'rate-limit'],
      ['providers', 'metrics'],
    ] as const)
      await page.locator(`#${section}`).getByText(`add “use: ${plugin}” to the plugins`).waitFor();
    await page.locator('#configuration code').waitFor();
    await expectAccessible(page);
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
  });

  it('links to pages of other plugins, which can run their own files but no inline scripts', async () => {
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
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Plugin pages' }).getByRole('link', { name: 'Notices' }).click();
    await page.getByRole('heading', { name: 'Closed on Sundays, read' }).waitFor();
    expect(await page.title()).to.equal('Notices');
    expect(faults.some((fault) => fault.includes('inline script'))).to.equal(true);
    expect(await (await fetch(`${scene.url}/metrics`)).text()).to.include('noticeboard_views_total 1\n');
  });
});
