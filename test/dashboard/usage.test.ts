import { expect } from 'chai';
import { formatCompact, formatCount, formatDollars, formatRate } from '../../plugins/dashboard/page/data/format.js';
import type { UsageReport } from '../../plugins/ledger/api/report.ts';
import { expectAccessible, requireBrowser } from './browser.ts';
import { expectFigure, figure, openDashboard, readRows, show, type OpenDashboard } from './pages.ts';
import { inventUnits } from './scene.ts';

describe('the usage page of the dashboard', function () {
  let dashboard: OpenDashboard;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    await show(dashboard.page, 'usage');
  });
  after(() => dashboard?.close());

  /** The usage of the last day from the usage API. */
  const readUsage = (more: string): Promise<UsageReport> =>
    dashboard.scene.usage<UsageReport>(
      `from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}&to=${new Date().toISOString()}&${more}`,
    );
  const expectTable = async (by: 'model' | 'key', only = ''): Promise<UsageReport> => {
    await dashboard.page.getByRole('table', { name: `Usage by ${by}` }).waitFor();
    const report = await readUsage(`by=${by}${only}`);
    const rows = await readRows(dashboard.page, `Usage by ${by}`);
    expect(
      rows.map(([name = '', requests, cost, rate]) => [name.replace(/\s*: show only this$/, ''), requests, cost, rate]),
    ).to.have.deep.members(
      report.lines.map((line) => [
        line[by],
        formatCount(line.exchanges),
        formatDollars(line.cost),
        formatRate(line.successRate),
      ]),
    );
    return report;
  };

  it('shows the usage of the ledger to the last cent', async () => {
    const { page } = dashboard;
    const { totals } = await expectTable('model');
    expect(totals.exchanges).to.be.greaterThan(100);
    await expectFigure(page, 'usage', 'Requests', formatCount(totals.exchanges));
    await expectFigure(page, 'usage', 'Success rate', formatRate(totals.successRate));
    await expectFigure(page, 'usage', 'Cost', formatDollars(totals.cost));
    await page.locator('#usage .note').getByText(' vs. previous period').first().waitFor();
    await expectFigure(page, 'usage', 'Input tokens', formatCompact(totals.tokens.input));
    await expectFigure(page, 'usage', 'Output tokens', formatCompact(totals.tokens.output));
    await expectFigure(page, 'usage', 'Saved', formatDollars(totals.cache.saved));
    await expectFigure(page, 'usage', 'Tokens read', formatCompact(totals.tokens.cacheRead));
    expect(Number(totals.cache.saved)).to.be.greaterThan(0);
  });

  it('filters and groups usage under an address that can be shared', async () => {
    const { page } = dashboard;
    await page.getByRole('button', { name: 'house/quick' }).click();
    const { totals, lines } = await expectTable('key', '&model=house/quick');
    expect(lines.map((line) => line['key'])).to.have.members(['acme/web/bob', 'acme/batch/carol']);
    await expectFigure(page, 'usage', 'Requests', formatCount(totals.exchanges));
    const address = page.url().split('#/')[1] ?? '';
    await show(page, 'limits');
    await show(page, address);
    await expectTable('key', '&model=house/quick');
    await page.getByRole('button', { name: 'Model: house/quick' }).click();
    await page.getByLabel('Group by', { exact: true }).selectOption('model');
    await expectTable('model');
  });

  it('the chart has the sums of the period in every range', async () => {
    const { page } = dashboard;
    const buckets = { '15m': 'minute', '1h': 'minute', '7d': 'day', '90d': 'day', '1y': 'month' };
    for (const [range, bucket] of Object.entries(buckets)) {
      await page.getByLabel('Period', { exact: true }).selectOption(range);
      await page.locator('#usage[aria-busy=false]').waitFor();
      await page.getByText('Show as table').click();
      const rows = await readRows(page, `Cost by model and ${bucket}`);
      const dollars = rows.map((row) => Number(row.at(-1)?.slice(1))).reduce((sum, cost) => sum + cost, 0);
      expect(dollars, range).to.be.closeTo(Number((await figure(page, 'usage', 'Cost').innerText()).slice(1)), 0.011);
      await page.getByText('Show as table').click();
    }
    await page.getByLabel('Period', { exact: true }).selectOption('custom');
    await page.getByLabel('From (UTC)').fill('2000-01-01T00:00');
    await page.getByLabel('From (UTC)').press('Tab');
    await page.getByLabel('To (UTC)').fill('2000-01-31T00:00');
    await page.getByLabel('To (UTC)').press('Tab');
    await page.getByText('No usage in this period.').waitFor();
    await expectFigure(page, 'usage', 'Cost', '$0.00');
  });

  it('exports the report as CSV', async () => {
    const { page } = dashboard;
    await show(page, 'usage?by=key');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV', exact: true }).click();
    const { lines } = await readUsage('by=key');
    const chunks: string[] = [];
    for await (const chunk of (await (await download).createReadStream()) ?? []) chunks.push(String(chunk));
    const rows = chunks.join('').trim().split('\r\n');
    expect(rows[0]).to.match(/^key,exchanges,/);
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).to.have.deep.members(
      lines.map((line) => [line['key'], String(line.exchanges)]),
    );
  });

  it('groups usage by end user and by tag, and filters by them', async () => {
    const { page, scene } = dashboard;
    const { totals } = await readUsage('by=model');
    const headers = { 'x-koine-user': 'ann', 'x-koine-tags': 'feature=chat' };
    expect(await scene.ask('house/talk', { headers })).to.equal(200);
    await scene.counted(totals.exchanges + 1);
    await show(page, 'usage?by=user');
    await page.getByRole('table', { name: 'Usage by end user' }).getByRole('button', { name: 'ann' }).waitFor();
    expect((await readRows(page, 'Usage by end user')).map((row) => row[1])).to.include('1');
    await page.getByLabel('Group by', { exact: true }).selectOption('tag');
    await page.getByLabel('Name of the tag').fill('feature');
    await page.getByLabel('Name of the tag').press('Enter');
    await page.getByRole('table', { name: 'Usage by tag feature' }).getByRole('button', { name: 'chat' }).click();
    await page.getByRole('table', { name: 'Usage by model' }).waitFor();
    await expectFigure(page, 'usage', 'Requests', '1');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Tag feature: chat' }).click();
    await expectFigure(page, 'usage', 'Requests', formatCount(totals.exchanges + 1));
  });

  it('shows a new request without a reload of the page, and units when there are any', async () => {
    const { page, scene } = dashboard;
    await show(page, 'usage');
    await page.evaluate('globalThis.isSame = true');
    const { totals } = await readUsage('by=model');
    expect(await figure(page, 'usage', 'Web searches').count()).to.equal(0);
    expect(await scene.ask('house/talk', { stream: true })).to.equal(200);
    await scene.counted(totals.exchanges + 1);
    await expectFigure(page, 'usage', 'Requests', formatCount(totals.exchanges + 1));
    inventUnits(scene);
    await expectFigure(page, 'usage', 'Images', formatCount(2 * (totals.exchanges + 1)));
    expect(await page.evaluate('isSame')).to.equal(true);
  });

  it('the usage page causes no console error', () => expect(dashboard.window.faults).to.deep.equal([]));
});
