import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Key } from '../../plugins/dashboard/page/data/keys.js';
import { send } from '../support/http.ts';
import { expectAccessible, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

const body = JSON.stringify({ model: 'house/talk', max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] });

describe('the keys page of the dashboard', function () {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  const list = async (): Promise<readonly Key[]> =>
    (await dashboard.call<{ keys: readonly Key[] }>('/admin/keys')).keys;
  const find = async (name: string): Promise<Key | undefined> => (await list()).findLast((key) => key.name === name);
  /** The status of a request of a client with this secret. */
  const ask = async (secret: string): Promise<number> =>
    (
      await send(dashboard.scene.gateway.url, {
        path: '/v1/chat/completions',
        headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
        body,
      })
    ).status;
  /** Changes take effect within a second. */
  const waitForStatus = async (secret: string, status: number): Promise<void> => {
    for (let waited = 0; (await ask(secret)) !== status; waited += 50) {
      if (waited > 20_000) throw new Error(`the status is still not ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  /** The secret that is shown, which is then confirmed. */
  const takeSecret = async (): Promise<string> => {
    const secret = await page.locator('dialog .secret code').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'The secret is stored' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).to.not.include(secret);
    return secret;
  };
  let secret = '';

  it('reports a mistake at its field and creates the key when it is corrected', async () => {
    await show(page, 'keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('two words');
    await page.getByLabel('Project', { exact: true }).selectOption('acme/web');
    await page.getByLabel('Models', { exact: true }).fill('house/*');
    await page.getByLabel('Its own').check();
    await page.getByRole('button', { name: 'Add a limit' }).click();
    await page.getByLabel('Limit 1: amount').fill('12');
    await page.getByRole('button', { name: 'Add a limit' }).click();
    await page.getByLabel('Limit 2: unit').selectOption('cost');
    await page.getByLabel('Limit 2: amount').fill('25');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('#key-name-error').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('dora');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('dialog .secret').waitFor();
    await expectAccessible(page);
    secret = await takeSecret();
    expect(await find('dora')).to.deep.include({
      organization: 'acme',
      project: 'web',
      models: ['house/*'],
      limits: [
        { requests: 12, per: '1m' },
        { cost: 25, per: 'month' },
      ],
    });
    expect(await ask(secret)).to.equal(200);
    await page.getByRole('link', { name: 'dora' }).waitFor();
    const rows = await readRows(page, 'Keys');
    const prefix = (await find('dora'))?.prefix;
    expect(rows.find(([name]) => name?.startsWith('dora'))?.slice(0, 4)).to.deep.equal([
      `dora\nacme/web · ${prefix}`,
      'active',
      'house/*',
      '12 requests per 1m, $25.00 per month',
    ]);
  });

  it('changes the limits of a key and leaves its other settings', async () => {
    await page.getByRole('link', { name: 'dora' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Limit 1: amount').fill('1');
    await page.getByRole('button', { name: 'Remove limit 2' }).click();
    await page.getByText('More settings').click();
    await page.getByLabel('Tags', { exact: true }).fill('team=search');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await find('dora')).to.deep.include({
      models: ['house/*'],
      limits: [{ requests: 1, per: '1m' }],
      tags: { team: 'search' },
    });
    await waitForStatus(secret, 429);
    await page
      .getByRole('table', { name: 'Limits of this key' })
      .getByText(/of 1 \(/)
      .waitFor();
    await page.locator('#key').getByText('team=search').waitFor();
  });

  it('disables and enables a key', async () => {
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Disable' }).click();
    await waitForStatus(secret, 401);
    await page.locator('#key .badge').getByText('disabled').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Enable' }).click();
    await page.locator('#key .badge').getByText('active').waitFor();
    await waitForStatus(secret, 429);
  });

  it('rotates a key, reports a wrong overlap, and shows the new secret once', async () => {
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('Overlap').fill('soon');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.locator('#rotate-overlap-error').waitFor();
    await page.getByLabel('Overlap').fill('');
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const renewed = await takeSecret();
    await waitForStatus(secret, 401);
    await waitForStatus(renewed, 429);
    secret = renewed;
  });

  it('shows which of two keys of a rotation is the new one', async () => {
    const { id = '' } = (await find('dora')) ?? {};
    await dashboard.call(`/admin/keys/${id}/rotate`, { method: 'POST', body: { overlap: '5h' } });
    await show(page, 'keys?find=acme/web/dora&state=active');
    await page.getByText('replaced', { exact: true }).waitFor();
    const rows = (await readRows(page, 'Keys')).map((row) => [row[0], row[1], row[4]]);
    const [old, renewed] = (await list()).filter((key) => key.name === 'dora').slice(-2);
    expect(rows).to.deep.equal([
      [`dora\nacme/web · ${old?.prefix}`, 'expiring\nreplaced', 'in 5 h'],
      [`dora\nacme/web · ${renewed?.prefix}`, 'active', 'never'],
    ]);
    await expectAccessible(page);
    await dashboard.call(`/admin/keys/${renewed?.id}`, { method: 'DELETE' });
  });

  it('revokes selected keys after a confirmation', async () => {
    await show(page, 'keys?find=dora');
    await page.getByLabel('Select acme/web/dora').last().check();
    await page.getByRole('group', { name: 'Selected keys' }).getByRole('button', { name: 'Revoke' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke permanently' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await waitForStatus(secret, 401);
    await show(page, 'keys?find=dora&state=revoked');
    await page.locator('#keys .badge').getByText('revoked').first().waitFor();
  });

  it('creates several keys at once, all or none', async () => {
    await show(page, 'keys');
    const before = (await list()).length;
    await page.getByRole('button', { name: 'Create several' }).click();
    await page.getByLabel('Names').fill('eve\ntwo words');
    await page.getByLabel('Project', { exact: true }).selectOption('acme/web');
    await page.getByLabel('Models', { exact: true }).fill('house/*\nhuose/*');
    await page.getByLabel('Its own').check();
    await page.getByRole('button', { name: 'Add a limit' }).click();
    await page.getByRole('button', { name: 'Create the keys' }).click();
    await page.locator('#key-name-error').waitFor();
    expect(await list()).to.have.length(before);
    await page.getByLabel('Names').fill('eve\nacme/batch/fred');
    await page.getByRole('button', { name: 'Create the keys' }).click();
    const secrets = await page.getByRole('region', { name: 'Secrets' }).innerText();
    expect(secrets.split('\n').map((line) => line.split(',')[0])).to.deep.equal(['acme/web/eve', 'acme/batch/fred']);
    await page.locator('dialog').getByText('No model of the configuration matches "huose/*".').waitFor();
    for (const name of ['eve', 'fred'])
      expect(await find(name)).to.deep.include({
        models: ['house/*', 'huose/*'],
        limits: [{ requests: 60, per: '1m' }],
      });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'The secrets are stored' }).click();
    expect(await ask(secrets.split('\n')[0]?.split(',')[1] ?? '')).to.equal(200);
  });

  it('keys of gateway.yaml are read-only, and the page says so', async () => {
    await show(page, 'keys/acme%2Fweb%2Falice');
    await page.getByText('This key is in gateway.yaml: change it there.').waitFor();
    for (const name of ['Edit', 'Disable', 'Rotate', 'Revoke'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).to.equal(true);
    await expectAccessible(page);
  });

  it('explains what the gateway would do with a request of a key', async () => {
    await show(page, 'keys/acme%2Fweb%2Falice');
    await page.getByRole('link', { name: 'Explain a request' }).click();
    await page.getByLabel('Model', { exact: true }).fill('house/none');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('alert').getByText('house/none').waitFor();
    await page.getByLabel('Model', { exact: true }).fill('house/flaky');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('1. away/flaky').waitFor();
    await page.getByText('2. simulator/chat').waitFor();
    await expectAccessible(page);
  });

  it('the audit page lists the changes of operators, without secrets', async () => {
    await show(page, 'audit');
    const { entries } = await dashboard.call<{ entries: readonly { action: string; target: string | null }[] }>(
      '/admin/audit?limit=50',
    );
    const rows = await readRows(page, 'Changes, newest first');
    expect(rows.map((row) => [row[2], row[3]])).to.deep.equal(
      entries.map(({ action, target }) => [action, target ?? '–']),
    );
    expect(rows.map((row) => row[2])).to.include.members(['PATCH /admin/keys/{id}', 'DELETE /admin/keys/{id}']);
    await page.locator('#audit tr', { hasText: 'PATCH' }).first().getByRole('button').click();
    await page.getByRole('heading', { name: 'Before' }).waitFor();
    expect(await page.content()).to.not.include(secret);
    await expectAccessible(page);
  });

  it('the keys page causes no console error but the refusals of the gateway', () =>
    expect(dashboard.window.faults.filter((fault) => !/status of 40[04]/.test(fault))).to.deep.equal([]));
});
