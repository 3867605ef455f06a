import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json } from '../../matrix/wires.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

/** What a vendor should get when thinking is on (an effort of `high`), limited to 4,000 tokens of 8,000, and off. */
interface ReasoningCase {
  readonly preset: string;
  readonly model: string;
  readonly on: Json;
  readonly budget: Json;
  readonly off: Json;
  /** Settings that the vendor does not get, or not as they are. A number of tokens counts if it is not sent at all. */
  readonly losses: string;
}

const effort = (name: string): Json => ({ reasoning_effort: name });
const disabled = { thinking: { type: 'disabled' } };
const enabled = { thinking: { type: 'enabled' } };

/** One row per family. The pages are beside the rows of each preset. */
const cases: readonly ReasoningCase[] = [
  {
    preset: 'deepseek',
    model: 'deepseek-v4-pro',
    on: effort('high'),
    budget: effort('high'),
    off: disabled,
    losses: '',
  },
  {
    preset: 'deepseek',
    model: 'deepseek-flash',
    on: effort('high'),
    budget: effort('high'),
    off: disabled,
    losses: '',
  },
  { preset: 'deepseek', model: 'deepseek-chat', on: {}, budget: {}, off: {}, losses: 'on budget' },
  { preset: 'zai', model: 'glm-4.6', on: enabled, budget: enabled, off: disabled, losses: 'on' },
  { preset: 'zai', model: 'glm-5.1', on: enabled, budget: enabled, off: disabled, losses: 'on' },
  { preset: 'zai', model: 'glm-5.2', on: effort('high'), budget: effort('high'), off: disabled, losses: '' },
  { preset: 'zai', model: 'glm-5.3', on: effort('high'), budget: effort('high'), off: effort('low'), losses: 'off' },
  { preset: 'moonshot', model: 'kimi-k2.6', on: enabled, budget: enabled, off: disabled, losses: 'on' },
  { preset: 'moonshot', model: 'kimi-k2.7-code', on: {}, budget: {}, off: {}, losses: 'on budget off' },
  {
    preset: 'moonshot',
    model: 'kimi-k3',
    on: effort('high'),
    budget: effort('high'),
    off: effort('low'),
    losses: 'off',
  },
  { preset: 'xai', model: 'grok-4.3', on: effort('high'), budget: effort('high'), off: effort('none'), losses: '' },
  { preset: 'xai', model: 'grok-4.7', on: effort('high'), budget: effort('high'), off: effort('low'), losses: 'off' },
  { preset: 'xai', model: 'grok-build-0.1', on: {}, budget: {}, off: {}, losses: 'on budget off' },
  { preset: 'xai', model: 'grok-4.20-0309-reasoning', on: {}, budget: {}, off: {}, losses: 'on budget off' },
  { preset: 'xai', model: 'grok-4.20-0309-non-reasoning', on: {}, budget: {}, off: {}, losses: 'on budget' },
  {
    preset: 'groq',
    model: 'qwen/qwen3.8-27b',
    on: effort('default'),
    budget: effort('default'),
    off: effort('none'),
    losses: 'on',
  },
  {
    preset: 'groq',
    model: 'openai/gpt-oss-120b',
    on: effort('high'),
    budget: effort('high'),
    off: effort('low'),
    losses: 'off',
  },
  { preset: 'groq', model: 'moonshotai/kimi-next', on: {}, budget: {}, off: {}, losses: 'on budget off' },
  {
    preset: 'cerebras',
    model: 'qwen-3.8-27b',
    on: effort('high'),
    budget: effort('high'),
    off: effort('low'),
    losses: 'off',
  },
  {
    preset: 'alibaba',
    model: 'qwen3.8-max',
    on: { enable_thinking: true },
    budget: { thinking_budget: 4_000, enable_thinking: true },
    off: { enable_thinking: false },
    losses: 'on',
  },
  {
    preset: 'openrouter',
    model: 'anthropic/claude-sonnet-5.5',
    on: effort('high'),
    budget: { reasoning: { max_tokens: 4_000 } },
    off: effort('none'),
    losses: '',
  },
  {
    preset: 'together',
    model: 'moonshotai/Kimi-K2.6',
    on: { reasoning: { enabled: true } },
    budget: { reasoning: { enabled: true } },
    off: { reasoning: { enabled: false } },
    losses: 'on',
  },
  {
    preset: 'fireworks',
    model: 'accounts/fireworks/models/glm-5p1',
    ...sameEffort('high'),
    off: effort('none'),
    losses: '',
  },
  {
    preset: 'fireworks',
    model: 'accounts/fireworks/models/gpt-oss-20b',
    ...sameEffort('high'),
    off: effort('low'),
    losses: 'off',
  },
  { preset: 'sambanova', model: 'gpt-oss-120b', ...sameEffort('high'), off: effort('low'), losses: 'off' },
  { preset: 'nvidia', model: 'openai/gpt-oss-120b', ...sameEffort('high'), off: effort('low'), losses: 'off' },
  { preset: 'ollama-openai', model: 'qwen3:8b', ...sameEffort('high'), off: effort('none'), losses: '' },
];

function sameEffort(name: string): Pick<ReasoningCase, 'on' | 'budget'> {
  return { on: effort(name), budget: effort(name) };
}

const members = ['reasoning_effort', 'thinking', 'reasoning', 'enable_thinking', 'thinking_budget'];
const asked: Readonly<Record<'on' | 'budget' | 'off', Json>> = {
  on: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  budget: { thinking: { type: 'enabled', budget_tokens: 4_000 } },
  off: { thinking: { type: 'disabled' } },
};

const named = { on: /effort;/, budget: /budget_tokens;dropped/, off: /thinking/ };

describe('reasoning at vendors with presets', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  const idOf = ({ preset, model }: ReasoningCase): string => `${preset}/${model.replaceAll(/[^\w.-]/g, '-')}`;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf('chat', 'plain', goodDay));
    const presets = [...new Set(cases.map(({ preset }) => preset))];
    scene = await startScene({
      providers: Object.fromEntries(
        presets.map((name) => [name, { use: name, config: { apiKey: 'k', baseUrl: upstream.url } }]),
      ),
      models: Object.fromEntries(
        cases.map((row) => [
          idOf(row),
          { wires: everyWire, targets: [{ provider: row.preset, model: row.model, wire: 'chat-completions' }] },
        ]),
      ),
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop();
    await upstream.stop();
  });

  const sentMembers = (): Json => {
    const body = upstream.calls[0]?.body ?? {};
    return Object.fromEntries(members.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  };
  const lossesOf = ({ headers }: HttpReply): string => String(headers['x-koine-losses'] ?? '');
  const post = (path: string, body: Json): Promise<HttpReply> =>
    send(scene.gateway.url, { path, body: JSON.stringify(body) });

  for (const row of cases)
    for (const setting of ['on', 'budget', 'off'] as const)
      it(`${row.preset}: ${row.model} with thinking ${setting} gets ${JSON.stringify(row[setting])}`, async () => {
        const reply = await post('/v1/messages', {
          model: idOf(row),
          max_tokens: 8_000,
          messages: [{ role: 'user', content: 'Hello' }],
          ...asked[setting],
        });
        expect(reply.status, reply.text).to.equal(200);
        expect(sentMembers()).to.deep.equal(row[setting]);
        expect(named[setting].test(lossesOf(reply)), lossesOf(reply)).to.equal(row.losses.split(' ').includes(setting));
      });

  it('a chat client switches thinking off as the vendor does, and the members that it sends for that are kept', async () => {
    const chat = (more: Json): Promise<HttpReply> =>
      post('/v1/chat/completions', {
        model: 'deepseek/deepseek-v4-pro',
        messages: [{ role: 'user', content: 'Hello' }],
        ...more,
      });
    await chat({ reasoning_effort: 'none' });
    expect(sentMembers()).to.deep.equal(disabled);
    upstream.calls.length = 0;
    await chat({ reasoning_effort: 'none', thinking: { type: 'enabled' } });
    expect(sentMembers()).to.deep.equal(enabled);
    upstream.calls.length = 0;
    await chat({ reasoning_effort: 'max' });
    expect(sentMembers()).to.deep.equal(effort('max'));
  });
});
