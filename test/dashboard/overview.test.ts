import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { formatCount, formatDollars, formatNumber, formatRate } from '../../plugins/dashboard/page/data/format.js';
import { summarize, type Rates } from '../../plugins/dashboard/page/data/rates.js';
import type { UsageReport } from '../../plugins/ledger/api/report.ts';
import { expectAccessible, requireBrowser } from './browser.ts';
import { until } from '../support/until.ts';
import { figure, openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

const DAY_MS = 86_400_000;

describe('the overview, limits and providers of the dashboard', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  it('shows the rates of the gateway from the first visit on', async () => {
    let rates: Rates = { stepSeconds: 10, inFlight: 0, rates: [] };
    // The step in which the traffic was counted ends within ten seconds.
    while (rates.rates.every(({ success }) => success === 0)) {
      rates = await dashboard.call<Rates>('/admin/rates');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await page.reload();
    await show(page, 'overview');
    await page.locator('#now .figure').first().waitFor();
    const shown = await figure(page, 'now', 'Requests per second').innerText();
    const values = [rates, await dashboard.call<Rates>('/admin/rates')].map(summarize);
    expect(values.map(({ perSecond }) => formatNumber(perSecond))).to.include(shown);
    expect(values.map(({ counts: { success, failure } }) => formatRate(success / (success + failure)))).to.include(
      await figure(page, 'now', 'Success rate').innerText(),
    );
    await page.getByRole('img', { name: /^Requests per second in the last 15 minutes, [\d.]+ at most/ }).waitFor();
  });

  it('shows the models and keys with the highest cost', async () => {
    for (const by of ['model', 'key']) {
      const { lines } = await dashboard.scene.usage<UsageReport>(
        `by=${by}&from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}`,
      );
      await page.locator(`#top-${by} table`).waitFor();
      expect(await readRows(page, by === 'model' ? 'Top models' : 'Top keys')).to.have.deep.members(
        lines.map((line) => [
          String(line[by as 'model']),
          formatCount(line.exchanges),
          formatRate(line.successRate),
          formatDollars(line.cost),
        ]),
      );
    }
  });

  it('a spent limit needs attention, in red', async () => {
    const item = page.locator('#attention li', { hasText: 'acme/batch/carol' });
    expect(await item.locator('.badge.bad').innerText()).to.equal('spent');
    await item.getByRole('link').click();
    await page.getByRole('table', { name: 'Limits' }).waitFor();
    const [row] = await readRows(page, 'Limits');
    expect(row?.map((cell) => cell.replaceAll(/\s+/g, ' ')).slice(0, 3)).to.deep.equal([
      'acme/batch/carol key',
      'Requests per 1h',
      '4 of 4 (100%)',
    ]);
    expect(await page.locator('#limits .bar .bad').count()).to.equal(1);
  });

  it('a budget is red when it is shown as spent, also with a few cents left', async () => {
    await page.route('**/admin/limits?*', async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { limits: readonly { unit: string; limit: number }[] };
      const limits = list.limits.map((limit) =>
        // In the middle of its month, whatever the day is: early and late in it there is no such forecast.
        limit.unit === 'cost' ? { ...limit, used: limit.limit * 0.9996, resetMs: 15 * DAY_MS } : limit,
      );
      await route.fulfill({ response, json: { ...list, limits } });
    });
    await show(page, 'limits?kind=budget');
    await page.getByRole('table', { name: 'Limits' }).waitFor();
    expect(await page.locator('#limits .bar .warn').count()).to.equal(0);
    const [budget] = await readRows(page, 'Limits');
    expect(budget?.[2]).to.match(/^\$49\.98 of \$50\.00 \(100%\)\nat this rate spent by /);
    await page.unroute('**/admin/limits?*');
  });

  it('a budget that has refused a request is not green, although less than 80% of it is used', async () => {
    const body = { name: 'saver', organization: 'acme', project: 'web', limits: [{ cost: 0.012, per: 'month' }] };
    const { secret } = await dashboard.call<{ secret: string }>('/admin/keys', { method: 'POST', body });
    const { ask, usage } = dashboard.scene;
    const statuses = [await ask('house/talk', { secret })];
    while (statuses.at(-1) === 200 && statuses.length < 60) statuses.push(await ask('house/talk', { secret }));
    expect(statuses).to.include(200);
    expect(statuses.at(-1)).to.equal(429);
    // Later tests compare pages with the usage API.
    const counted = async (): Promise<number> => (await usage<UsageReport>('key=acme/web/saver')).totals.exchanges;
    await until('the ledger has its requests', async () => (await counted()) === statuses.length - 1, 50);
    await show(page, 'limits?owner=acme/web/saver');
    const row = page.getByRole('row', { name: /^acme\/web\/saver/ });
    await row.getByText('has refused a request that did not fit').waitFor();
    expect(Number(/\((\d+)/.exec(await row.innerText())?.[1])).to.be.lessThan(80);
    expect(await row.locator('.bar .good').count()).to.equal(0);
    await expectAccessible(page);
    await show(page, 'overview');
    const item = page.locator('#attention li', { hasText: 'acme/web/saver' });
    expect(await item.locator('.badge.warn').innerText()).to.equal('refuses');
  });

  it('a provider is not open because one of its models is; latencies show the step that they are in', async () => {
    await page.route('**/admin/circuits', (route) => {
      const open = { provider: 'simulator', credential: 'none', state: 'open', reason: 'transient' };
      const circuits = [
        { ...open, model: 'chat?status=503' },
        { ...open, provider: 'away', model: '*' },
      ];
      return route.fulfill({ json: { circuits } });
    });
    await show(page, 'providers');
    await page.locator('#calls table').waitFor();
    const [away, simulator] = await readRows(page, 'Calls to providers');
    expect([away?.[1], simulator?.[1]]).to.deep.equal(['open', 'partly\nchat?status=503: open']);
    expect(simulator?.[5]).to.match(/^≈ [\d.]+ m?s\n[\d.]+ m?s to [\d.]+ m?s$/);
    await expectAccessible(page);
    await page.unroute('**/admin/circuits');
  });

  it('shows the health of providers and models over time, and each call since the start', async () => {
    await show(page, 'providers');
    await page.getByRole('table', { name: 'Health of models' }).waitFor();
    const { lines } = await dashboard.scene.usage<UsageReport>(
      `by=model&from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}`,
    );
    const rows = await readRows(page, 'Health of models');
    expect(rows.map(([name, , rate, requests, failures]) => [name, rate, requests, failures])).to.have.deep.members(
      lines.map((line) => [
        line.model,
        formatRate(line.successRate),
        formatCount(line.exchanges),
        formatCount(line.failure),
      ]),
    );
    await page.getByRole('img', { name: 'house/broken: lowest success rate 0%' }).waitFor();
    // Each of its attempts failed, and another provider answered.
    const provider = await dashboard.scene.usage<UsageReport>(
      `by=provider&provider=away&from=${new Date(Date.now() - 23 * 3_600_000).toISOString()}`,
    );
    const { retried } = provider.totals;
    expect(provider.totals.exchanges).to.equal(0);
    const health = await readRows(page, 'Health of providers');
    const [, , ...figures] = health.find(([name]) => name === 'away') ?? [];
    expect(figures.slice(0, 3)).to.deep.equal(['0%', formatCount(retried), formatCount(retried)]);
    expect(retried).to.be.at.least(4);
    const [away, simulator] = await readRows(page, 'Calls to providers');
    expect([away?.[0], away?.[3], away?.at(-1)]).to.deep.equal(['away', '0%', 'upstream error 4']);
    expect(simulator?.at(-1)).to.equal('upstream error 2');
    await page.getByLabel('Period', { exact: true }).selectOption('30d');
    await page.locator('#health[aria-busy=false]').waitFor();
  });

  it('the live chart shows the only step of a gateway that has just started', async () => {
    const time = new Date(Date.now() - 60_000).toISOString();
    const quiet = { client_error: 0, limited: 0, failure: 0, p50Ms: 9, p95Ms: 9, p95FirstContentMs: null };
    const rates = [{ time, success: 600, ...quiet }];
    await page.route('**/admin/rates', (route) => route.fulfill({ json: { stepSeconds: 10, inFlight: 0, rates } }));
    await show(page, 'overview');
    // Text and lines of the chart are gray.
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('#now canvas');
      if (canvas === null) return false;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(canvas, 0, 0);
      const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let colored = 0;
      for (let at = 0; at < pixels.length; at += 4) {
        const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
        if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) colored += 1;
      }
      return colored > 200;
    });
    await page.unroute('**/admin/rates');
  });

  it('the overview causes no console error', () => expect(dashboard.window.faults).to.deep.equal([]));
});
