import { expect } from 'chai';
import { askAdmin, createKey, json, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send } from '../../support/http.ts';

interface Limit {
  readonly scope: string;
  readonly unit: string;
  readonly amount: number;
  readonly per?: string;
  readonly remaining?: number;
}
interface Explanation {
  readonly key: { readonly name: string; readonly origin: string; readonly id?: string };
  readonly model: object;
  readonly route: { readonly wire: string; readonly operation: string; readonly paths: readonly string[] };
  readonly request: {
    readonly body: string;
    readonly estimate: { readonly inputTokens: number; readonly outputTokens: number };
  };
  readonly plugins: readonly {
    readonly use: string;
    readonly origin: string;
    readonly phases: readonly string[];
    readonly says?: { readonly store: string; readonly limits: readonly Limit[] };
  }[];
  readonly targets: readonly {
    readonly target: string;
    readonly wire?: string;
    readonly skipped?: readonly string[];
    readonly price: unknown;
    readonly estimatedCost?: number;
  }[];
}

const settings = {
  providers: { simulator: { use: 'simulator' }, openai: { use: 'openai', config: { apiKey: '' } } },
  models: {
    'openai/gpt': {
      targets: [
        { provider: 'openai', model: 'gpt-4.1' },
        { provider: 'simulator', model: 'chat' },
      ],
      price: { input: 2, output: 8 },
    },
    'simulator/chat': {
      targets: [{ provider: 'simulator', model: 'chat' }],
      wires: ['messages', 'generate-content', 'responses', 'chat-completions'],
    },
    'simulator/embed': { targets: [{ provider: 'simulator', model: 'embed' }], wires: ['embeddings', 'embed-content'] },
  },
  aliases: { fast: 'simulator/chat' },
  organizations: {
    acme: {
      limits: [{ cost: 500, per: 'month', models: ['openai/*'] }],
      projects: {
        web: {
          limits: [{ tokens: 100_000, per: '1m' }],
          keys: {
            alice: { key: KEY, limits: [{ requests: 60, per: '1m' }, { concurrent: 8 }] },
            narrow: { key: 'narrow-0123456789', models: ['openai/*'] },
            off: { key: 'off-0123456789', disabled: true },
          },
        },
        shop: { keys: { narrow: { key: 'other-0123456789' } } },
      },
    },
  },
  plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
};

describe('explain in the admin API', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(settings);
  });
  after(() => gateway.stop());
  const explain = async (question: object): Promise<Explanation> =>
    readJson<Explanation>(await askAdmin(gateway, 'POST', '/admin/explain', question));
  const limitsOf = ({ plugins }: Explanation): readonly Limit[] =>
    plugins.find(({ use }) => use === 'rate-limit')?.says?.limits ?? [];

  it('explain lists every limit of all three scopes with what is left', async () => {
    const limits = limitsOf(await explain({ key: 'alice', model: 'openai/gpt' }));
    expect(limits.map(({ scope, unit, amount, per }) => [scope, unit, amount, per])).to.deep.equal([
      ['key', 'requests', 60, '1m'],
      ['key', 'concurrent', 8, undefined],
      ['project', 'tokens', 100_000, '1m'],
      ['organization', 'cost', 500, 'month'],
    ]);
    expect(limits.every(({ amount, remaining }) => remaining === amount)).to.equal(true);
  });

  it('explain shows the state left by earlier requests and does not change it', async () => {
    await send(gateway.url, callOf('chat', 'simulator/chat'));
    await gateway.settled(1);
    const remaining = async () =>
      limitsOf(await explain({ key: 'alice', model: 'fast' })).find(({ unit }) => unit === 'requests')?.remaining;
    expect(await remaining()).to.equal(59);
    expect(await remaining()).to.equal(59);
  });

  it('explain shows the route, the plugins in their order, and the targets that would be called', async () => {
    const explained = await explain({ key: 'alice', model: 'openai/gpt', wire: 'messages' });
    expect(explained.key).to.deep.include({ name: 'alice', origin: 'configuration' });
    expect(explained.route).to.deep.include({ wire: 'messages', operation: 'generate', paths: ['/v1/messages'] });
    expect(explained.plugins.map(({ use, origin, phases }) => [use, origin, phases])).to.deep.equal([
      ['auth', 'built-in', ['identify']],
      ['rate-limit', 'built-in', ['enter', 'admit']],
    ]);
    expect(explained.targets.map(({ target, wire, skipped }) => [target, wire, skipped === undefined])).to.deep.equal([
      ['openai/gpt-4.1', 'chat-completions', false],
      ['simulator/chat', 'messages', true],
    ]);
    expect(explained.targets[0]?.skipped?.join()).to.include('no API key is set');
    const { inputTokens, outputTokens } = explained.request.estimate;
    expect(explained.targets[1]?.estimatedCost).to.be.closeTo((inputTokens * 2 + outputTokens * 8) / 1e6, 1e-9);
  });

  for (const [wire, operation] of [
    ['chat-completions', 'generate'],
    ['messages', 'generate'],
    ['responses', 'generate'],
    ['generate-content', 'generate'],
    ['embeddings', 'embed'],
    ['embed-content', 'embed'],
  ] as const)
    it(`explain generates a sample request for ${wire}`, async () => {
      const explained = await explain({
        key: 'alice',
        model: operation === 'embed' ? 'simulator/embed' : 'fast',
        wire,
      });
      expect(explained.route).to.deep.include({ wire, operation });
      expect(explained.request.body).to.equal('a small request');
      expect(explained.request.estimate.inputTokens).to.be.greaterThan(0);
    });

  it('explain estimates the tokens of a given body', async () => {
    const body = { model: 'whatever', messages: [{ role: 'user', content: 'x'.repeat(4_000) }], max_tokens: 7 };
    const { request, model } = await explain({ key: 'alice', model: 'fast', wire: 'chat-completions', body });
    expect(model).to.deep.equal({ id: 'simulator/chat', alias: 'fast' });
    expect(request.estimate.outputTokens).to.equal(7);
    expect(request.estimate.inputTokens).to.be.greaterThan(900);
    const reply = await askAdmin(gateway, 'POST', '/admin/explain', {
      key: 'alice',
      model: 'fast',
      wire: 'chat-completions',
      body: { messages: 7 },
    });
    expect([reply.status, readError(reply).error.param]).to.deep.equal([400, 'messages']);
  });

  it('explain finds a stored key by name, id and prefix, and the remaining key of a rotation', async () => {
    const { id, prefix, secret } = await createKey(gateway, { name: 'dora', organization: 'acme', project: 'web' });
    for (const key of ['dora', id, prefix, secret])
      expect((await explain({ key, model: 'fast' })).key).to.deep.include({ name: 'dora', origin: 'database', id });
    const fresh = readJson<{ id: string }>(
      await askAdmin(gateway, 'POST', `/admin/keys/${id}/rotate`, { overlap: '1h' }),
      201,
    );
    expect((await explain({ key: 'dora', model: 'fast' })).key.id).to.equal(fresh.id);
  });

  it('explain rejects an ambiguous key name and lists the candidates', async () => {
    const question = { key: 'narrow', model: 'openai/gpt' };
    const reply = await askAdmin(gateway, 'POST', '/admin/explain', question);
    expect(reply.status).to.equal(400);
    expect(readError(reply).error.message).to.include('acme/web and acme/shop');
    expect((await explain({ ...question, organization: 'acme', project: 'shop' })).key).to.deep.include({
      project: 'shop',
    });
  });

  const refused: readonly (readonly [question: object, status: number, message: RegExp])[] = [
    [{ key: 'alicia', model: 'fast' }, 404, /No key.*Did you mean "alice"\?/],
    [{ key: 'alice', model: 'fats' }, 404, /no model and no alias "fats"/],
    [{ key: 'alice', model: 'simulator/chap' }, 404, /Did you mean "simulator\/chat"\?/],
    [{ key: 'narrow', project: 'web', model: 'fast' }, 403, /may not use simulator\/chat, only openai\/\*/],
    [{ key: 'off', model: 'fast' }, 403, /disabled/],
    [{ key: 'alice', model: 'openai/gpt', wire: 'responses' }, 400, /not offered on the wire 'responses'/],
    [{ key: 'alice', model: 'fast', wire: 'message' }, 400, /No route speaks.*Did you mean "messages"\?/],
    [{ model: 'fast' }, 400, /key must be given/],
    [{ key: 'alice', model: 7 }, 400, /model must be text/],
    [{ key: 'alice', model: 'fast', modle: 1 }, 400, /"modle" is not a known member/],
    [[], 400, /must be an object/],
  ];
  for (const [question, status, message] of refused)
    it(`explain rejects ${JSON.stringify(question)} with ${status}`, async () => {
      const reply = await askAdmin(gateway, 'POST', '/admin/explain', question);
      expect([reply.status, readError(reply).error.message]).to.satisfy(
        ([got, said]: [number, string]) => got === status && message.test(said),
        reply.text,
      );
    });

  it('explain sends no upstream request and logs no exchange', async () => {
    const before = gateway.exchanges().length;
    await explain({ key: 'alice', model: 'fast' });
    expect(gateway.exchanges()).to.have.length(before);
    expect(await askAdmin(gateway, 'GET', '/admin/explain', undefined, json)).to.include({ status: 405 });
  });
});
