import { expect } from 'chai';
import { greet } from '../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { everyWire } from '../../support/scene.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import type { Json } from '../../matrix/wires.ts';

describe('the object reasoning of chat-completions', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = greet;
    const models = {
      'local/any': { provider: 'local', model: 'any' },
      'openai/gpt-5': { provider: 'openai', model: 'gpt-5', wire: 'chat-completions' },
      'openai/gpt-4.1': { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
      'anthropic/claude-sonnet-4-5': { provider: 'anthropic', model: 'claude-sonnet-4-5' },
      'google/gemini-2.5-flash': { provider: 'google', model: 'gemini-2.5-flash' },
    };
    gateway = await startTestGateway({
      providers: {
        openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
        anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } },
        google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
        local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1` } },
      },
      models: Object.fromEntries(
        Object.entries(models).map(([id, target]) => [id, { wires: everyWire, targets: [target] }]),
      ),
    });
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const ask = async (model: string, reasoning: Json) => {
    upstream.calls.length = 0;
    const body = { model, reasoning, max_tokens: 16_000, messages: [{ role: 'user', content: 'Hi' }] };
    const reply = await send(gateway.url, { path: '/v1/chat/completions', body: JSON.stringify(body) });
    expect(reply.status, reply.text).to.equal(200);
    return {
      lane: reply.headers['x-koine-lane'],
      losses: String(reply.headers['x-koine-losses'] ?? ''),
      sent: upstream.calls[0]?.body ?? {},
    };
  };

  it('the object reasoning reaches a server of an aggregator unchanged, without a loss', async () => {
    for (const reasoning of [
      { enabled: true },
      { enabled: false },
      { max_tokens: 4_000 },
      { effort: 'xhigh', summary: 'auto', exclude: false },
    ]) {
      const { lane, losses, sent } = await ask('local/any', reasoning);
      expect(lane).to.equal('native');
      expect(sent['reasoning']).to.deep.equal(reasoning);
      expect(sent).to.not.have.property('reasoning_effort');
      expect(losses).to.equal('');
    }
  });

  it('the object reasoning becomes an effort at OpenAI, and what is lost of it is named', async () => {
    for (const [model, reasoning, effort, losses] of [
      ['openai/gpt-5', { effort: 'high' }, 'high', ''],
      ['openai/gpt-5', { enabled: true }, 'medium', ''],
      ['openai/gpt-5', { max_tokens: 4_000 }, 'medium', 'reasoning.max_tokens;approximated'],
      ['openai/gpt-5', { effort: 'low', summary: 'auto' }, 'low', 'reasoning.summary;dropped'],
      ['openai/gpt-5', { enabled: false }, 'minimal', 'reasoning.enabled;approximated'],
      ['openai/gpt-4.1', { enabled: true }, undefined, 'reasoning.enabled;dropped'],
      ['openai/gpt-4.1', { enabled: false }, undefined, ''],
    ] as const) {
      const seen = await ask(model, reasoning);
      const row = `${JSON.stringify(reasoning)} at ${model}`;
      expect(seen.lane, row).to.equal('native');
      expect(seen.sent, row).to.not.have.property('reasoning');
      expect(seen.sent['reasoning_effort'], row).to.equal(effort);
      expect(seen.losses, row).to.equal(losses);
    }
  });

  it('reasoning that is only enabled is switched on and off at vendors of other wires', async () => {
    const on = await ask('anthropic/claude-sonnet-4-5', { enabled: true });
    expect(on.sent['thinking']).to.deep.include({ type: 'enabled', budget_tokens: 4_800 });
    expect(on.losses).to.equal('reasoning.enabled;approximated');
    const off = await ask('anthropic/claude-sonnet-4-5', { enabled: false });
    expect(off.sent['thinking']).to.deep.equal({ type: 'disabled' });
    expect(off.losses).to.equal('');
    const google = await ask('google/gemini-2.5-flash', { enabled: false });
    expect(google.sent).to.have.nested.property('generationConfig.thinkingConfig.thinkingBudget', 0);
  });
});
