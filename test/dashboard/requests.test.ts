import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { RequestDetail, RequestRow } from '../../plugins/dashboard/page/data/requests.js';
import { formatDollars, formatMs } from '../../plugins/dashboard/page/data/format.js';
import { expectAccessible, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

const CAPTION = 'Requests, newest first';

describe('the requests page of the dashboard', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  after(() => dashboard?.close());

  const search = async (query: string): Promise<readonly RequestRow[]> =>
    (await dashboard.call<{ requests: readonly RequestRow[] }>(`/admin/requests?${query}`)).requests;
  /** Time, outcome, model, key and duration of each row. */
  const readShown = async (): Promise<readonly (readonly (string | undefined)[])[]> =>
    (await readRows(page, CAPTION)).map(([time, outcome, model, key, duration, , cost]) => [
      time?.replace(/^.*?(\d\d:\d\d:\d\d).*$/s, '$1'),
      outcome?.split('\n')[0]?.trim(),
      model?.split('\n')[0],
      key,
      duration?.split('\n')[0],
      cost,
    ]);
  const describe = (row: RequestRow): readonly string[] => [
    row.time.slice(11, 19),
    `${(row.outcome ?? 'pending').replaceAll('_', ' ')} ${row.status ?? ''}`,
    row.model ?? 'not known',
    row.key === null ? '–' : `${row.organization}/${row.project}/${row.key}`,
    formatMs(row.durationMs),
    row.cost === null ? '–' : formatDollars(row.cost),
  ];
  const expectRows = async (query: string, most = 50): Promise<readonly RequestRow[]> => {
    const rows = await search(`limit=${most}&${query}`);
    await page.locator('#requests[aria-busy=false]').waitFor();
    expect(await readShown()).to.deep.equal(rows.map(describe));
    return rows;
  };

  it('lists the requests of the ledger, those that were refused included', async () => {
    await show(page, 'requests');
    const rows = await expectRows('');
    expect(new Set(rows.map(({ outcome }) => outcome))).to.include.keys('ok', 'upstream_error', 'rate_limited');
  });

  it('filters by outcome, key and model under an address that can be shared', async () => {
    await page.getByLabel('Outcome', { exact: true }).selectOption('failure');
    await page.getByRole('button', { name: 'Outcome: failure' }).waitFor();
    const failures = await expectRows('outcome=failure');
    expect(failures.map(({ model }) => model)).to.deep.equal(['house/broken']);
    await page.getByLabel('Outcome', { exact: true }).selectOption('');
    await page.getByLabel('Key', { exact: true }).fill('acme/batch/carol');
    await page.getByLabel('Key', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Key: acme/batch/carol' }).waitFor();
    const address = page.url().split('#/')[1] ?? '';
    expect(await expectRows('key=acme/batch/carol')).to.have.length(6);
    await show(page, 'limits');
    await show(page, address);
    await expectRows('key=acme/batch/carol');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Status', { exact: true }).fill('429');
    await page.getByLabel('Status', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Status: 429' }).waitFor();
    expect(await expectRows('key=acme/batch/carol&status=429')).to.have.length(2);
    await expectAccessible(page);
  });

  it('opens a row with its attempts, its losses and its charges', async () => {
    await show(page, 'requests?model=house/flaky');
    const [row] = await search('model=house/flaky');
    const detail = await dashboard.call<RequestDetail>(`/admin/requests/${row?.id}`);
    const toggle = page.locator('#requests .toggle').first();
    await toggle.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).to.equal('true');
    const called = page.locator('#requests .life > li:has(strong)');
    await called.first().waitFor();
    const attempts = (await called.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(attempts).to.have.length(detail.attemptTrail.length);
    expect(attempts[0]).to.match(/ms away\/flaky upstream error no response · transient/);
    expect(attempts.at(-1)).to.match(/ms simulator\/chat ok status 200/);
    await page.getByText('logit_bias dropped').waitFor();
    const charges = await readRows(page, 'Charges');
    expect(charges.map((cells) => [cells[0], cells[3]])).to.deep.equal(
      detail.charges.map(({ target, cost }) => [target, formatDollars(cost ?? 0)]),
    );
    await expectAccessible(page);
  });

  it('finds one request by its id, and reports one that is not there', async () => {
    const [failed] = await search('outcome=failure');
    await show(page, 'requests');
    await page.getByLabel('Find a request id').fill(failed?.id ?? '');
    await page.getByLabel('Find a request id').press('Enter');
    await page.locator('#request').getByText('house/broken').first().waitFor({ state: 'attached' });
    await page.locator('#request').getByText('503').first().waitFor();
    expect(page.url()).to.include(`#/requests/${failed?.id}`);
    await expectAccessible(page);
    await show(page, 'requests/req_00000000000000000000000000000000');
    await page.getByText('There is no request req_0').waitFor();
  });

  it('shows older requests page by page', async () => {
    const before = (await search('limit=500')).length;
    for (let index = before; index < 60; index += 1) await dashboard.scene.ask('house/quick', { key: 'bob' });
    while ((await search('limit=500')).length < 60) await new Promise((resolve) => setTimeout(resolve, 50));
    await show(page, 'requests');
    const shown = page.getByRole('table', { name: CAPTION }).locator('tbody tr');
    await shown.nth(49).waitFor();
    expect(await shown.count()).to.equal(50);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'Older' }).waitFor({ state: 'detached' });
    await page.locator('#requests[aria-busy=false]').waitFor();
    const older = (await search('limit=500')).slice(50);
    expect(await readShown()).to.deep.equal(older.map(describe));
    await page.reload();
    await show(page, page.url().split('#/')[1] ?? '');
    expect(await readShown(), 'the address is that of the page').to.deep.equal(older.map(describe));
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByRole('link', { name: 'Older' }).waitFor();
    expect(await shown.count()).to.equal(50);
  });

  it('the failures of a key are one link away from the key', async () => {
    await show(page, 'keys/acme%2Fweb%2Falice');
    await page.locator('#key-requests').getByRole('link', { name: 'Failures' }).click();
    await page.getByRole('button', { name: 'Key: acme/web/alice' }).waitFor();
    await expectRows('key=acme/web/alice&outcome=failure');
  });
});
