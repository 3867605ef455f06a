import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

const CAPTION = 'Organizations and projects';

describe('the page of organizations and budgets of the dashboard', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  const rows = async (): Promise<readonly (readonly string[])[]> =>
    (await readRows(page, CAPTION)).map((cells) => cells.map((cell) => cell.replaceAll(/\s+/g, ' ')));

  it('shows those of the file, which cannot be changed here', async () => {
    await show(page, 'tenants');
    const [acme, batch] = await rows();
    expect(acme?.[0]).to.equal('acme organization');
    expect(acme?.slice(1, 2)).to.deep.equal(['$50.00 per month']);
    expect(acme?.at(-1)).to.equal('in the file');
    expect(batch?.[0]).to.equal('acme/batch project');
    await expectAccessible(page);
  });

  it('makes a project with a budget, changes it, and removes it', async () => {
    await show(page, 'tenants');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Organization').fill('acme');
    await form.getByLabel('Project').fill('mobile');
    await form.getByRole('button', { name: 'Add a limit' }).click();
    await form.getByLabel('Limit 1: unit').selectOption('cost');
    await form.getByLabel('Limit 1: amount').fill('-5');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Limit 1: amount').fill('25');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit acme/mobile' }).click();
    await form.getByLabel('Its own').check();
    await form.getByRole('button', { name: 'Add a key limit' }).click();
    await form.getByLabel('Key limit 1: amount').fill('7');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '7 requests per 1m' }).waitFor();
    expect((await rows()).find(([name]) => name === 'acme/mobile project')?.slice(1, 3)).to.deep.equal([
      '$25.00 per month',
      '7 requests per 1m',
    ]);
    expect(await dashboard.call('/admin/tenants/acme%2Fmobile')).to.deep.include({
      limits: [{ cost: 25, per: 'month' }],
      keyLimits: [{ requests: 7, per: '1m' }],
    });
    await page.getByRole('button', { name: 'Remove acme/mobile' }).click();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Remove' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit acme/mobile' }).waitFor({ state: 'detached' });
    expect(dashboard.window.faults.filter((fault) => !fault.includes('400'))).to.deep.equal([]);
  });

  it('a change of another operator meanwhile is not overwritten', async () => {
    await dashboard.call('/admin/tenants', { method: 'POST', body: { organization: 'globex' } });
    await show(page, 'tenants?organization=globex');
    await page.getByRole('button', { name: 'Edit globex' }).click();
    const form = page.getByRole('dialog');
    await form.waitFor();
    const limits = [{ cost: 10, per: 'day' }];
    await dashboard.call('/admin/tenants/globex', { method: 'PATCH', body: { limits } });
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByRole('alert')
      .getByText(/Read it again/)
      .waitFor();
    expect(await dashboard.call('/admin/tenants/globex')).to.deep.include({ limits });
  });

  it('fits every width', async () => {
    for (const width of [390, 900, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await show(page, 'tenants');
      const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
      expect(wide, String(width)).to.equal(false);
    }
  });
});
