import { expect } from 'chai';
import { definePlugin, type JsonObject } from '../../../core/api/index.ts';
import { parseExactJson } from '../../../core/api/codec.ts';
import { wireNames, wires, type Wire } from '../../matrix/wires.ts';
import { greet, pathOf } from '../../support/calls.ts';
import { builtIns, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { everyWire } from '../../support/scene.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

let isGuarded = false;
/** A guard that changes nothing. With one, a request takes the translated lane. */
const watch = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'watch',
  schema: { type: 'object' },
  create: () => ({ guard: () => (isGuarded ? { window: 0, inspect: () => 'pass' } : undefined) }),
});
const extensions = { ...builtIns, plugin: { ...builtIns.plugin, watch } };

/** Models with few efforts, low maxima and no setting for "off"; and a server that is not OpenAI. */
const targets: Readonly<Record<Wire, readonly string[]>> = {
  chat: ['openai/gpt-5', 'openai/gpt-4.1', 'local/any'],
  messages: ['anthropic/claude-sonnet-4-5', 'anthropic/claude-opus-4-6'],
  responses: ['openai/gpt-5', 'openai/gpt-4.1'],
  google: ['google/gemini-2.5-pro', 'google/gemini-3-pro-preview'],
};

const LONG = '9007199254740993';
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const caps = ['1', '5', '64', '9000000'] as const;
const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${LONG}}},"required":["id"]}`;
const args = `{"id":${LONG}}`;
const quoted = JSON.stringify(args);

/** Members in addition to the smallest request, as JSON: each is sent over both lanes. */
const rows: Readonly<Record<Wire, readonly string[]>> = {
  chat: [
    ...efforts.map((effort) => `"reasoning_effort":"${effort}"`),
    ...efforts.map((effort) => `"reasoning":{"effort":"${effort}"}`),
    ...['0', '100', '4000', '9000000'].map((budget) => `"reasoning":{"max_tokens":${budget}},"max_tokens":8000`),
    '"reasoning":{"enabled":true}',
    '"reasoning":{"enabled":false}',
    '"reasoning":{"enabled":true,"effort":"xhigh","summary":"auto"}',
    ...caps.map((cap) => `"max_tokens":${cap}`),
    ...caps.map((cap) => `"max_completion_tokens":${cap}`),
    `"seed":${LONG}`,
    `"seed":-${LONG}`,
    `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]`,
    `"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":${schema}}}`,
    `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${quoted}}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]`,
  ],
  messages: [
    ...efforts.slice(1).map((effort) => `"max_tokens":16000,"output_config":{"effort":"${effort}"}`),
    ...efforts
      .slice(1)
      .map((effort) => `"max_tokens":16000,"thinking":{"type":"adaptive"},"output_config":{"effort":"${effort}"}`),
    ...['100', '1024', '9000000'].map(
      (budget) => `"max_tokens":16000,"thinking":{"type":"enabled","budget_tokens":${budget}}`,
    ),
    '"max_tokens":16000,"thinking":{"type":"disabled"}',
    ...caps.map((cap) => `"max_tokens":${cap}`),
    `"max_tokens":16000,"tools":[{"name":"f","input_schema":${schema}}]`,
    `"max_tokens":16000,"output_config":{"format":{"type":"json_schema","schema":${schema}}}`,
    `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${args}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"max_tokens":16000`,
  ],
  responses: [
    ...efforts.map((effort) => `"reasoning":{"effort":"${effort}"}`),
    '"reasoning":{"effort":"xhigh","summary":"detailed"}',
    ...caps.map((cap) => `"max_output_tokens":${cap}`),
    `"tools":[{"type":"function","name":"f","parameters":${schema},"strict":false}]`,
    `"text":{"format":{"type":"json_schema","name":"r","schema":${schema}}}`,
    `"input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"c1","name":"f","arguments":${quoted}},{"type":"function_call_output","call_id":"c1","output":"x"}]`,
  ],
  google: [
    ...['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'].map(
      (level) => `"generationConfig":{"thinkingConfig":{"thinkingLevel":"${level}"}}`,
    ),
    ...['-1', '0', '100', '9000000'].map(
      (budget) => `"generationConfig":{"thinkingConfig":{"thinkingBudget":${budget}}}`,
    ),
    ...caps.map((cap) => `"generationConfig":{"maxOutputTokens":${cap}}`),
    '"generationConfig":{"maxOutputTokens":600,"thinkingConfig":{"thinkingBudget":600}}',
    `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${schema}}]}]`,
    `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":${schema}}`,
    `"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":${args}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"x"}}}]}]`,
  ],
};
const conversation: Readonly<Record<Wire, string>> = {
  chat: '"messages":[{"role":"user","content":"Hi"}]',
  messages: '"messages":[{"role":"user","content":"Hi"}]',
  responses: '"input":"Hi"',
  google: '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]',
};

/** The members that the rules concern, as the vendor of the wire got them. */
const ruled: Readonly<Record<Wire, (body: JsonObject) => JsonObject>> = {
  chat: ({ reasoning_effort, reasoning, max_tokens, max_completion_tokens, seed }) => ({
    reasoning_effort,
    reasoning,
    max_tokens,
    max_completion_tokens,
    seed,
  }),
  messages: ({ thinking, output_config, max_tokens }) => ({
    thinking: { ...(thinking as JsonObject | undefined), display: undefined },
    output_config,
    max_tokens,
  }),
  responses: ({ reasoning, max_output_tokens, text }) => ({ reasoning, max_output_tokens, text }),
  google: ({ generationConfig }) => ({ generationConfig }),
};
/** Every long number of a body, as it was sent. */
const longNumbers = (raw: string): readonly string[] => raw.match(/\d{15,}/g) ?? [];

describe('the two lanes to a vendor of the client’s wire', () => {
  let upstream: TestUpstream;
  let gateway: TestGateway;
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = greet;
    const models = wires.flatMap((wire) =>
      targets[wire].map((id) => {
        const [provider = '', model = ''] = id.split('/');
        return [`${wire}/${id}`, { wires: everyWire, targets: [{ provider, model, wire: wireNames[wire] }] }] as const;
      }),
    );
    gateway = await startTestGateway(
      {
        plugins: [{ use: 'auth' }, { use: 'watch' }],
        providers: {
          openai: { use: 'openai', config: { apiKey: 'k', baseUrl: `${upstream.url}/v1` } },
          anthropic: { use: 'anthropic', config: { apiKey: 'k', baseUrl: upstream.url } },
          google: { use: 'google', config: { apiKey: 'k', baseUrl: upstream.url } },
          local: { use: 'openai-compatible', config: { baseUrl: `${upstream.url}/v1` } },
        },
        models: Object.fromEntries(models),
      },
      extensions,
    );
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  /** The names of losses, and what the vendor got. */
  const ask = async (wire: Wire, id: string, members: string, lane: 'native' | 'translated') => {
    isGuarded = lane === 'translated';
    upstream.calls.length = 0;
    const model = `${wire}/${id}`;
    const head = wire === 'google' ? '' : `"model":"${model}",`;
    const [, said] = /^("\w+"):/.exec(conversation[wire]) ?? [];
    const body = `{${head}${members.startsWith(`${said}:`) ? '' : `${conversation[wire]},`}${members}}`;
    const reply = await send(gateway.url, { path: pathOf(wire, model), body });
    expect(reply.status, `${body}: ${reply.text}`).to.equal(200);
    expect(reply.headers['x-koine-lane'], body).to.equal(lane);
    const raw = upstream.calls[0]?.raw.toString() ?? '';
    return {
      sent: JSON.stringify(ruled[wire](parseExactJson(raw) as JsonObject)),
      numbers: longNumbers(raw),
      losses: String(reply.headers['x-koine-losses'] ?? ''),
    };
  };

  for (const wire of wires) {
    for (const id of targets[wire]) {
      it(`the two lanes send the same efforts, caps and integers to ${id} over ${wire}`, async () => {
        for (const members of rows[wire]) {
          const native = await ask(wire, id, members, 'native');
          const translated = await ask(wire, id, members, 'translated');
          const row = `${members} to ${id}`;
          expect(JSON.parse(translated.sent), row).to.deep.equal(JSON.parse(native.sent));
          expect(translated.numbers, row).to.deep.equal(native.numbers);
          expect(translated.losses, row).to.equal(native.losses);
        }
      });
    }
  }
});
