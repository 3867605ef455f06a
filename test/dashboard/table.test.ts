import { expect } from 'chai';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import type { RequestRow } from '../../plugins/dashboard/page/data/requests.js';
import { drawn, expectAccessible, openWindow, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, signIn, type OpenDashboard } from './pages.ts';
import { moveRequests } from './scene.ts';

const REQUESTS = 'Requests, newest first';
const DAY = 86_400_000;

const readDownload = async (download: Promise<Download>): Promise<readonly string[]> => {
  const chunks: string[] = [];
  for await (const chunk of (await (await download).createReadStream()) ?? []) chunks.push(String(chunk));
  return chunks.join('').trim().split('\r\n');
};

interface Made {
  readonly keys: readonly { readonly name: string; readonly secret: string }[];
}

const describeManyKeys = (browser: () => Browser): Mocha.Suite =>
  describe('the pages of keys and limits with twenty thousand keys', function () {
    this.timeout(300_000);
    let dashboard: OpenDashboard;
    let page: Page;
    let busy: Made['keys'][number] | undefined;
    before(async () => {
      dashboard = await openDashboard({ limits: [{ requests: 5, per: '1h' }] }, browser());
      page = dashboard.page;
      // Five times as many keys as one statement of SQLite examines.
      // The panels of the page would read the list again and again while it grows.
      await page.goto('about:blank');
      for (let start = 0; start < 20_000; start += 1_000) {
        const keys = Array.from({ length: 1_000 }, (_, index) => ({
          name: `dev-${String(start + index).padStart(6, '0')}`,
          organization: 'acme',
          project: 'web',
        }));
        const made = await dashboard.call<Made>('/admin/keys/bulk', { method: 'POST', body: { keys } });
        busy ??= made.keys.find(({ name }) => name === 'dev-017777');
      }
    });
    after(() => dashboard?.close());

    const names = async (): Promise<readonly (string | undefined)[]> =>
      (await readRows(page, 'Keys')).map(([cell]) => cell?.split('\n')[0]);

    it('shows one page of them, the last ones first, finds one, and opens it with its limits', async () => {
      await show(page, 'keys?state=active');
      expect(await names()).to.have.length(100);
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('link', { name: 'First page' }).waitFor();
      await page.locator('#keys[aria-busy=false]').waitFor();
      expect(await names()).to.have.length(100);
      await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click();
      await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click();
      await page.locator('#keys[aria-busy=false]').waitFor();
      await page.getByRole('link', { name: 'dev-019999' }).waitFor();
      expect((await names())[0]).to.equal('dev-019999');
      expect(page.url()).to.include('sort=-name');
      await page.getByLabel('Find', { exact: true }).fill('dev-010505');
      await page.getByLabel('Find', { exact: true }).press('Enter');
      await page.getByRole('link', { name: 'dev-010505' }).waitFor();
      await page.locator('#keys[aria-busy=false]').waitFor();
      expect(await names()).to.deep.equal(['dev-010505']);
      await page.getByRole('link', { name: 'dev-010505' }).click();
      await page.getByRole('table', { name: 'Limits of this key' }).waitFor();
      await expectAccessible(page);
    });

    it('shows one page of their limits, the most used first, sorts them by owner, and finds one', async () => {
      const owners = async (): Promise<readonly (string | undefined)[]> =>
        (await readRows(page, 'Limits')).map(([cell]) => cell?.split('\n')[0]);
      const loaded = (): Promise<void> => page.locator('#limits[aria-busy=false]').waitFor();
      for (let count = 0; count < 5; count += 1)
        await dashboard.scene.ask('house/quick', { secret: busy?.secret ?? '' });
      // All limits are read, while other tests may run.
      page.setDefaultTimeout(120_000);
      await show(page, 'limits?kind=rate');
      await page.getByRole('link', { name: 'dev-017777' }).waitFor();
      const used = await owners();
      expect([used.length, ...used.slice(0, 2)]).to.deep.equal([100, 'acme/batch/carol', 'acme/web/dev-017777']);
      const owner = page.getByRole('columnheader', { name: 'Owner' }).getByRole('button');
      await owner.click();
      await page.getByRole('link', { name: 'dev-000000' }).waitFor();
      await loaded();
      expect((await owners()).slice(0, 2)).to.deep.equal(['acme/batch/carol', 'acme/web']);
      await owner.click();
      await page.getByRole('link', { name: 'dev-019999' }).waitFor();
      await loaded();
      await owner.click();
      await page.getByRole('link', { name: 'dev-000000' }).waitFor();
      await loaded();
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('link', { name: 'dev-000100' }).waitFor();
      await loaded();
      expect(await owners()).to.have.length(100);
      await page.getByLabel('Owner', { exact: true }).fill('dev-010505');
      await page.getByLabel('Owner', { exact: true }).press('Enter');
      await page.getByRole('link', { name: 'dev-010505' }).waitFor();
      await loaded();
      expect(await owners()).to.deep.equal(['acme/web/dev-010505']);
      await expectAccessible(page);
    });
  });

describe('the table of the dashboard', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
    moveRequests(dashboard.scene, 'house/flaky', -DAY);
  });
  after(() => dashboard?.close());

  const column = async (caption: string, index: number): Promise<readonly (string | undefined)[]> =>
    (await readRows(page, caption)).map((row) => row[index]);

  for (const width of [1280, 1440])
    it(`every column is seen at ${width} pixels, also of a list of two days`, async () => {
      await page.setViewportSize({ width, height: 900 });
      for (const address of ['requests?period=7d', 'usage', 'keys', 'limits', 'providers', 'audit', 'sessions']) {
        await show(page, address);
        await drawn(page);
        const cut = await page.evaluate(
          `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => one.ariaLabel)`,
        );
        expect(cut, address).to.deep.equal([]);
      }
    });

  it('the rows are sorted by a column, in both directions, with a click or by keyboard', async () => {
    await show(page, 'usage');
    const caption = 'Usage by model';
    const head = page.getByRole('table', { name: caption }).getByRole('columnheader', { name: 'Requests' });
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).to.equal('ascending');
    const counts = (await column(caption, 1)).map((text) => Number(text?.replaceAll(',', '')));
    expect(counts).to.deep.equal(counts.toSorted((one, other) => one - other));
    await head.getByRole('button').press('Enter');
    expect(await head.getAttribute('aria-sort')).to.equal('descending');
    const reversed = (await column(caption, 1)).map((text) => Number(text?.replaceAll(',', '')));
    expect(reversed).to.deep.equal(counts.toReversed());
    await expectAccessible(page);
  });

  it('the first click on another column sorts it upwards, whatever the last direction was', async () => {
    await show(page, 'usage');
    const head = (name: string): Locator =>
      page.getByRole('table', { name: 'Usage by model' }).getByRole('columnheader', { name });
    await head('Requests').getByRole('button').click();
    await head('Requests').getByRole('button').click();
    expect(await head('Requests').getAttribute('aria-sort')).to.equal('descending');
    await head('Cost').getByRole('button').click();
    expect(await head('Cost').getAttribute('aria-sort')).to.equal('ascending');
    expect(await head('Requests').getAttribute('aria-sort')).to.equal(null);
  });

  it('selects all keys that can be changed, and none', async () => {
    for (const name of ['one', 'two', 'three'])
      await dashboard.call('/admin/keys', { method: 'POST', body: { name, organization: 'acme', project: 'web' } });
    await show(page, 'keys');
    await page.getByLabel('Select all 3').check();
    await page.getByRole('group', { name: 'Selected keys' }).getByText('3 selected').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Select acme/web/two').uncheck();
    await page.getByRole('group', { name: 'Selected keys' }).getByText('2 selected').waitFor();
    await page.getByLabel('Select all 3').check();
    await page.getByLabel('Select all 3').uncheck();
    await page.getByRole('group', { name: 'Selected keys' }).waitFor({ state: 'detached' });
  });

  it('saves all pages of a list as a file that no spreadsheet runs', async () => {
    await show(page, 'requests?period=7d&outcome=failure,client_error');
    const { requests } = await dashboard.call<{ requests: readonly RequestRow[] }>(
      '/admin/requests?outcome=failure,client_error&limit=500',
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).to.equal('requests.csv');
    const [head = '', ...rows] = await readDownload(download);
    expect(head.split(',').slice(0, 3)).to.deep.equal(['id', 'state', 'time']);
    expect(rows.map((row) => row.split(',')[0])).to.deep.equal(requests.map(({ id }) => id));
  });

  it('yesterday and two times are periods of the address', async () => {
    await show(page, 'requests');
    await page.getByLabel('Period', { exact: true }).selectOption('yesterday');
    await page.locator('#requests[aria-busy=false]').waitFor();
    expect(new Set((await column(REQUESTS, 2)).map((cell) => cell?.split('\n')[0]))).to.deep.equal(
      new Set(['house/flaky']),
    );
    await page.getByLabel('Period', { exact: true }).selectOption('custom');
    const day = new Date(Date.now() - DAY).toISOString().slice(0, 10);
    await page.getByLabel('To (UTC)').fill(`${day}T00:00`);
    await page.getByLabel('To (UTC)').press('Tab');
    await page.getByText('No matching requests in this period.').waitFor();
    const address = page.url().split('#/')[1] ?? '';
    expect(address).to.include(`to=${encodeURIComponent(`${day}T00:00:00.000Z`)}`);
    await show(page, 'overview');
    await show(page, address);
    expect(await page.getByLabel('To (UTC)').inputValue()).to.equal(`${day}T00:00`);
    await expectAccessible(page);
    await show(page, 'usage?range=yesterday');
    await page.getByText(`${day} 00:00 to`).waitFor();
  });

  it('a refused request shows what it asked for, also if that is no model', async () => {
    expect(await dashboard.scene.ask('house/nowhere')).to.equal(404);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await show(page, 'requests?outcome=client_error');
    await page.getByRole('table', { name: REQUESTS }).getByText('house/nowhere').last().waitFor();
    expect((await column(REQUESTS, 2))[0]).to.equal('house/nowhere asked for');
    await page.locator('#requests .toggle').first().click();
    await page.getByText('Asked for the model').waitFor();
  });

  it('a request that was refused before its body was read says that its model is not known', async () => {
    expect(await dashboard.scene.ask('house/talk', { secret: 'wrong' })).to.equal(401);
    await show(page, 'requests?outcome=auth');
    await page.getByRole('table', { name: REQUESTS }).getByText('not known').last().waitFor();
    expect((await column(REQUESTS, 2))[0]).to.equal('not known');
    await page.locator('#requests .toggle').first().click();
    await page.getByText('asked for a model that is not known').waitFor();
  });

  it('times are those of UTC, or of the zone of the browser, which is remembered; a tooltip has both', async () => {
    const window = await openWindow(dashboard.browser, dashboard.scene.url, { timezoneId: 'Asia/Kolkata' });
    const { page } = window;
    await page.goto('/');
    await signIn(page);
    await show(page, 'requests');
    const toggle = page.locator('#requests .toggle').first();
    const utc = (await toggle.getAttribute('title')) ?? '';
    expect(utc).to.match(/^[\d-]+ [\d:]+ UTC · ([\d-]+ )?[\d:]+ Asia\/Calcutta$|Asia\/Kolkata$/);
    await page.getByLabel('Times in').selectOption({ index: 1 });
    await page.getByRole('columnheader', { name: /^Time \(Asia/ }).waitFor();
    const local = (await toggle.getAttribute('title')) ?? '';
    expect(local).to.match(/^[\d-]+ [\d:]+ Asia\/\w+ · ([\d-]+ )?[\d:]+ UTC$/);
    const [first, second] = [utc, local].map((text) => Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`));
    expect((second ?? 0) - (first ?? 0)).to.equal(5.5 * 3_600_000);
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('columnheader', { name: /^Time \(Asia/ }).waitFor();
    expect(window.faults).to.deep.equal([]);
    await window.close();
  });

  it('no table causes a console error', () => expect(dashboard.window.faults).to.deep.equal([]));

  describeManyKeys(() => dashboard.browser);
});
