import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { expectAccessible, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

interface Row {
  readonly id: string;
}

describe('the life of a request in the dashboard', function () {
  const folder = createTemporaryFolder();
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    const promptLog = {
      use: 'prompt-log',
      config: { encryptionKey: Buffer.alloc(32, 7).toString('base64'), files: { path: join(folder.path, 'prompts') } },
    };
    const names = ['metrics', 'auth', 'rate-limit', 'cache-accounting', 'ledger', 'failover', 'dashboard'];
    dashboard = await openDashboard({ plugins: [...names.map((use) => ({ use })), promptLog] });
    page = dashboard.page;
  });
  after(async () => {
    await dashboard?.close();
    folder.remove();
  });

  const find = async (query: string): Promise<string> => {
    const { requests } = await dashboard.call<{ requests: readonly Row[] }>(`/admin/requests?limit=1&${query}`);
    const id = requests[0]?.id ?? '';
    await until('the request is in memory', async () => {
      const { exchanges } = await dashboard.call<{ exchanges: readonly object[] }>(`/admin/exchanges?id=${id}`);
      return exchanges.length === 1;
    });
    return id;
  };
  const readSteps = async (): Promise<readonly string[]> =>
    (await page.locator('.life > li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it('shows admission with the figures of each limit, the failed attempt, the first byte, and the end', async () => {
    await show(page, `requests/${await find('model=house/flaky&outcome=ok')}`);
    await page.locator('.life > li').first().waitFor();
    const steps = await readSteps();
    expect(steps[0]).to.match(/^0 ms Arrived .*asked for house\/flaky/);
    expect(steps[1]).to.match(/Admitted/);
    expect(steps.find((step) => step.includes('away/flaky'))).to.match(/upstream error no response · transient/);
    expect(steps.find((step) => step.includes('simulator/chat'))).to.match(/ok status 200/);
    expect(steps.some((step) => step.includes('First byte from the provider'))).to.equal(true);
    expect(steps.some((step) => step.endsWith(' ms First content'))).to.equal(true);
    expect(steps.at(-1)).to.match(/Ended ok status 200 · [\d,]+ tokens in · \d+ tokens out · \$/);
    const limits = await readRows(page, 'Limits at the admission');
    expect(limits.map(([name]) => name?.split('\n')[0])).to.include.members([
      'organization acme',
      'project web',
      'key alice',
    ]);
    const perMinute = limits.find(([name]) => name?.includes('Requests per 1m'));
    expect(perMinute?.slice(1, 3)).to.deep.equal(['60', '1']);
    await page.getByRole('img', { name: /^Attempts in .*away\/flaky/ }).waitFor();
    const [charge] = await readRows(page, 'Charges');
    expect(charge?.[2]).to.include('gateway.yaml');
    await expectAccessible(page);
  });

  it('shows why a refused request was refused', async () => {
    await show(page, `requests/${await find('outcome=rate_limited')}`);
    await page.getByText('Refused before any provider was called').waitFor();
    expect((await readSteps()).at(-1)).to.include('no provider was called');
    await expectAccessible(page);
  });

  it('shows the text of a request by role, which the audit log records', async () => {
    const id = await find('model=house/talk');
    await show(page, `requests/${id}`);
    await page.getByRole('button', { name: 'Show the text' }).click();
    const text = page.getByRole('list', { name: 'Text of the request' });
    await text.waitFor();
    expect(await text.locator('> li > strong').allInnerTexts()).to.deep.equal([
      'system',
      'user',
      'assistant (response)',
    ]);
    await text
      .getByText(/about the weather and the sea/)
      .first()
      .waitFor();
    await expectAccessible(page);
    const { entries } = await dashboard.call<{ entries: readonly object[] }>('/admin/audit?limit=1');
    expect(entries[0]).to.include({ action: 'POST /admin/prompts', target: id });
  });

  it('tries a request again in the playground, with another model, streamed and with its cost', async () => {
    const id = await find('model=house/talk');
    await show(page, `requests/${id}`);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).to.equal('acme/web/alice');
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).to.equal('house/talk');
    await page.getByRole('button', { name: 'Fill in its text' }).click();
    await page.getByLabel('Text of message 2').waitFor();
    expect(await page.getByLabel('Text of message 2').inputValue()).to.match(/about the weather and the sea/);
    await page.getByLabel('Model', { exact: true }).fill('house/quick');
    await page.getByLabel('Model', { exact: true }).press('Tab');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('status')
      .getByText(/first content after .* tokens in, .* out · cost \$/)
      .waitFor();
    expect(await page.getByRole('region', { name: 'Text' }).innerText()).to.not.equal('');
    await expectAccessible(page);
    const life = page.getByRole('link', { name: 'The life of this request' });
    const sent = (await life.getAttribute('href'))?.split('/').at(-1);
    const latest = (): Promise<string> => find('model=house/quick');
    await until('the ledger has it', async () => (await latest()) === sent, 50);
    await life.click();
    await page.locator('.life > li').getByText('asked for house/quick').waitFor();
    expect(dashboard.window.faults).to.deep.equal([]);
  });

  it('shows in the playground why the gateway refused a request', async () => {
    await show(page, 'playground');
    await page.getByLabel('Key', { exact: true }).fill('acme/web/alice');
    await page.getByLabel('Model', { exact: true }).fill('house/nothing');
    await page.getByLabel('Model', { exact: true }).press('Tab');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .locator('#answer')
      .getByRole('alert')
      .getByText(/house\/nothing/)
      .waitFor();
  });

  it('fits every width', async () => {
    const id = await find('model=house/flaky');
    for (const [width, height] of [
      [390, 844],
      [900, 1_000],
      [1_440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const address of [`requests/${id}`, `playground?request=${id}`]) {
        await show(page, address);
        const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
        expect(wide, `${address} at ${width}`).to.equal(false);
      }
    }
  });
});
