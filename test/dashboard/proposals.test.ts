import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, requireBrowser } from './browser.ts';
import { openDashboard, readRows, show, type OpenDashboard } from './pages.ts';

describe('proposals for the file on the dashboard', function () {
  this.timeout(180_000);
  let dashboard: OpenDashboard;
  let page: Page;
  before(async function () {
    requireBrowser(this);
    dashboard = await openDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  it('lists the providers and models of the file', async () => {
    await show(page, 'providers');
    await page.getByRole('button', { name: 'Propose a model' }).waitFor();
    expect(await readRows(page, 'Providers of the file')).to.deep.equal([
      ['simulator', 'simulator', '4'],
      ['away', 'openai-compatible', '1'],
    ]);
    expect((await readRows(page, 'Models of the file'))[0]).to.deep.equal(['house/talk', 'simulator/chat']);
  });

  it('a form writes a model and a provider as YAML that the gateway examines', async () => {
    await show(page, 'providers');
    await page.getByRole('button', { name: 'Propose a model' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Model', { exact: true }).fill('house/new');
    await form.getByLabel('Name at the provider').fill('chat');
    await form.getByLabel('Price of input').fill('1.5');
    await form.getByRole('button', { name: 'Write YAML' }).click();
    await form.getByText(/Line 6, error: .* needs "output"/).waitFor();
    await form.getByLabel('Price of output').fill('6');
    await form.getByRole('button', { name: 'Write YAML' }).click();
    await form.getByText('The gateway would accept it.').waitFor();
    expect(await form.getByRole('region', { name: 'Proposal' }).innerText()).to.equal(
      'models:\n  house/new:\n    targets:\n      - provider: simulator\n        model: chat\n' +
        '    price:\n      input: 1.5\n      output: 6\n',
    );
    await expectAccessible(page);
    await form.getByLabel('Price of input').fill('');
    await form.getByLabel('Price of output').fill('');
    await form.getByLabel('Price of a unit').fill('0.04');
    await form.getByLabel('Unit', { exact: true }).selectOption('images');
    await form.getByRole('button', { name: 'Write YAML' }).click();
    await form.getByText('The gateway would accept it.').waitFor();
    expect(await form.getByRole('region', { name: 'Proposal' }).innerText()).to.include(
      '    price:\n      input: 0\n      output: 0\n      units:\n        images: 0.04\n',
    );
    await form.getByLabel('Model', { exact: true }).fill('house/talk');
    await form.getByRole('button', { name: 'Write YAML' }).click();
    await form.getByText(/Line 2, error: .*house\/talk/).waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Propose a provider' }).click();
    await form.getByLabel('Kind').selectOption('openai');
    await form.getByLabel('Name of the provider').fill('mine');
    await form.getByLabel('Variable with the key').fill('A_VARIABLE_THAT_IS_NOT_SET');
    await form.getByRole('button', { name: 'Write YAML' }).click();
    await form.getByText(/A_VARIABLE_THAT_IS_NOT_SET is not set/).waitFor();
    expect(dashboard.window.faults).to.deep.equal([]);
  });

  it('a proposal reads no file, loads no code and has known members only', async () => {
    const refused = async (body: object): Promise<unknown> => {
      const response = await page.request.post('/admin/proposals', { data: body, headers: { 'x-koine-page': '1' } });
      const { error } = (await response.json()) as { readonly error?: { readonly param: string } };
      return [response.status(), error?.param];
    };
    const provider = { name: 'mine', use: 'openai' };
    expect(await refused({ provider: { ...provider, use: './mine.ts' } })).to.deep.equal([400, 'provider.use']);
    for (const apiKey of ['${file:/etc/passwd}', '$HOME', '${A}${file:x}'])
      expect(await refused({ provider: { ...provider, settings: { apiKey } } })).to.deep.equal([
        400,
        'provider.settings',
      ]);
    const model = { id: 'house/new', provider: 'simulator', model: 'chat' };
    for (const price of [{ inputs: 1 }, { input: -1 }, { units: { images: 'x' } }])
      expect(await refused({ model: { ...model, price } })).to.satisfy(([status]: [number]) => status === 400);
    expect(await refused({ model: { ...model, price: { units: { pages: 1 } } } })).to.deep.equal([400, 'pages']);
    expect(await refused({ include: ['x'] })).to.deep.equal([400, 'include']);
    expect(await refused({})).to.deep.equal([400, null]);
  });
});
