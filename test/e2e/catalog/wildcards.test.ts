import { expect } from 'chai';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { askAdmin, readJson } from '../../support/admin.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const NARROW = 'narrow-key-0123456789abcdef';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000_000, completion_tokens: 1, total_tokens: 1_000_001 },
};

describe('a wildcard in the catalog', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response) => answerJson(response, answer);
    const provider = (use: string) => ({ use, config: { baseUrl: `${upstream.url}/v1`, apiKey: 'upstream-secret' } });
    gateway = await startTestGateway({
      providers: { openai: provider('openai'), hub: provider('openai-compatible') },
      models: {
        'openai/*': { targets: [{ provider: 'openai', model: '*', wire: 'chat-completions' }] },
        'openai/mine': { targets: [{ provider: 'openai', model: 'exact-name', wire: 'chat-completions' }] },
        'priced/*': {
          targets: [{ provider: 'openai', model: '*', wire: 'chat-completions' }],
          price: { input: 9, output: 9 },
        },
        'hub/*': { targets: [{ provider: 'hub', model: '*' }], price: { input: 7, output: 7 } },
        'hub/free/*': { targets: [{ provider: 'hub', model: 'free-*-latest' }], price: { input: 0, output: 0 } },
      },
      aliases: { fast: 'hub/org/fast-1' },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                bob: {
                  key: NARROW,
                  models: ['openai/gpt-4.1*', 'hub/org/*'],
                  limits: [{ requests: 1, per: '1h', models: ['hub/org/limited'] }],
                },
              },
            },
          },
        },
      },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const call = async (model: string, key = KEY): Promise<{ readonly status: number; readonly sent: unknown }> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages }),
    });
    await response.text();
    return { status: response.status, sent: upstream.calls.at(-1)?.body['model'] };
  };
  const listModels = async (key: string): Promise<readonly string[]> => {
    const response = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] };
    return data.map(({ id }) => id);
  };

  it('wildcards serve clients of two wires, and the vendor gets the rest of the id', async () => {
    const chat = createChatClient(gateway.url).chat.completions;
    const { response } = await chat.create({ model: 'openai/gpt-99', messages }).withResponse();
    expect(upstream.calls.at(-1)?.body['model']).to.equal('gpt-99');
    expect(response.headers.get('x-koine-model')).to.equal('openai/gpt-99');
    const { content } = await createMessagesClient(gateway.url).messages.create({
      model: 'hub/org/some-model:1',
      max_tokens: 9,
      messages,
    });
    expect(upstream.calls.at(-1)?.body['model']).to.equal('org/some-model:1');
    expect(content[0]).to.include({ text: 'Good day.' });
  });

  it('an exact id wins over a wildcard, and a longer wildcard over a shorter one', async () => {
    expect((await call('openai/mine')).sent).to.equal('exact-name');
    expect((await call('hub/free/tiny')).sent).to.equal('free-tiny-latest');
    expect((await call('hub/paid/tiny')).sent).to.equal('paid/tiny');
  });

  it('a price comes from the list of the vendor if the name is known, else from the entry, else there is none', async () => {
    const costOf = async (model: string): Promise<unknown> => {
      const before = gateway.exchanges().length;
      await call(model);
      await gateway.settled(before + 1);
      const { cost_micro: cost, unpriced } = gateway.exchanges()[before] ?? {};
      return unpriced === true ? 'unpriced' : cost;
    };
    expect(await costOf('openai/gpt-4.1')).to.equal(2_000_008);
    expect(await costOf('priced/gpt-4.1')).to.equal(2_000_008);
    expect(await costOf('priced/unknown')).to.equal(9_000_009);
    expect(await costOf('hub/org/unknown')).to.equal(7_000_007);
    expect(await costOf('openai/unknown')).to.equal('unpriced');
    const warning = gateway.lines.find(({ text }) => text.includes('have no price'));
    expect(warning?.fields['models']).to.deep.equal(['openai/mine', 'openai/*']);
  });

  it('allow-lists, limits and aliases apply to the names', async () => {
    expect((await call('openai/gpt-4.1-nano', NARROW)).status).to.equal(200);
    expect((await call('openai/gpt-5-pro', NARROW)).status).to.equal(404);
    expect((await call('hub/free/x', NARROW)).status).to.equal(404);
    expect((await call('fast', NARROW)).sent).to.equal('org/fast-1');
    expect((await call('hub/org/limited', NARROW)).status).to.equal(200);
    expect((await call('hub/org/limited', NARROW)).status).to.equal(429);
    expect((await call('hub/org/other', NARROW)).status).to.equal(200);
  });

  it('the list of models has the known ones that the key may use and their aliases, and not the wildcard', async () => {
    const all = await listModels(KEY);
    expect(all).to.include.members(['openai/mine', 'openai/gpt-4.1', 'openai/gpt-4.1-mini']);
    expect(all.filter((id) => id.includes('*') || id.startsWith('hub/'))).to.deep.equal([]);
    const narrow = await listModels(NARROW);
    expect(narrow).to.include('openai/gpt-4.1');
    expect(narrow.filter((id) => !id.startsWith('openai/gpt-4.1'))).to.deep.equal(['fast']);
  });

  it('explain resolves a name, and says which targets it has', async () => {
    const reply = await askAdmin(gateway, 'POST', '/admin/explain', { key: 'alice', model: 'hub/org/explained' });
    expect(JSON.stringify(readJson(reply))).to.include('hub/org/explained');
  });

  it('names that are no names of models are unknown models', async () => {
    const before = upstream.calls.length;
    for (const name of ['', '*', '..', '../x', 'a/../b', 'a b', 'a?b', 'a#b', '/a', 'a/', 'a%2f', 'x'.repeat(129)])
      expect((await call(`openai/${name}`)).status, name).to.equal(404);
    expect(upstream.calls.length).to.equal(before);
  });

  it('invented names create a bounded number of series, and all are served', async () => {
    for (let name = 0; name < 620; name += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => call(`hub/invented-${name + index}`)));
    const metrics = await (await fetch(`${gateway.gateway.admin.url}/metrics`)).text();
    const labels = new Set([...metrics.matchAll(/model="([^"]*)"/g)].map(([, label]) => label));
    expect([...labels].filter((label) => label?.startsWith('hub/')).length).to.be.within(90, 100);
    expect(labels).to.include('other');
    expect((await call('hub/invented-3')).sent).to.equal('invented-3');
  });
});
