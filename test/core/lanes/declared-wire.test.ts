import { expect } from 'chai';
import { type Capabilities, defineProvider, type JsonObject, type EndpointWire } from '../../../core/api/index.ts';
import { omitUndefined, type WireTraits } from '../../../core/api/codec.ts';
import { builtIns } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { answerJson } from '../../support/upstream.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { chatBody } from '../../matrix/vendors/vendor-chat.ts';
import { someTokens } from '../../matrix/wires.ts';
import { createSlipsCodec, slipsNames } from './slips-wire.ts';

interface Setting {
  readonly traits: WireTraits;
  readonly limits?: Capabilities;
  /** The wire that the provider speaks. */
  readonly wires?: string;
  /** The settings of the model in the configuration. */
  readonly model?: object;
}

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } };
const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } };

/** A request over chat-completions, and what is sent to the wire with and without the trait. */
interface Case {
  readonly trait: WireTraits;
  readonly members: JsonObject;
  readonly path?: string;
  readonly limits?: Capabilities;
  readonly model?: object;
  readonly see: (sent: JsonObject) => unknown;
  readonly declared: unknown;
  readonly silent: unknown;
}

const cases: Readonly<Record<string, Case>> = {
  requiresMaxTokens: {
    trait: { requiresMaxTokens: true },
    members: {},
    see: ({ maxTokens }) => maxTokens,
    declared: 4_096,
    silent: undefined,
  },
  effortOnly: {
    trait: { effortOnly: true },
    members: { reasoning: { max_tokens: 9_000 } },
    see: ({ reasoning }) => reasoning,
    declared: { effort: 'medium' },
    silent: { budget: 9_000 },
  },
  usualMaxBudget: {
    trait: { usualMaxBudget: 5_000 },
    limits: { thinking: 'budget' },
    members: { reasoning: { max_tokens: 9_000 } },
    see: ({ reasoning }) => reasoning,
    declared: { budget: 5_000 },
    silent: { budget: 9_000 },
  },
  strictThinking: {
    trait: { strictThinking: true },
    members: { reasoning: { max_tokens: 9_000 }, temperature: 0.3 },
    see: ({ temperature }) => temperature,
    declared: undefined,
    silent: 0.3,
  },
  schemaNeedsStrict: {
    trait: { schemaNeedsStrict: true },
    path: '/v1/messages',
    members: { max_tokens: 9, output_config: { format: { type: 'json_schema', schema } } },
    see: ({ output }) => (output as JsonObject)['strict'],
    declared: true,
    silent: undefined,
  },
  jsonNeedsWord: {
    trait: { jsonNeedsWord: true },
    members: { response_format: { type: 'json_object' } },
    see: ({ turns }) => (turns as JsonObject[]).map(({ role }) => role),
    declared: ['system', 'user'],
    silent: ['user'],
  },
  requiresDeclaredTools: {
    trait: { requiresDeclaredTools: true },
    members: {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
      ],
    },
    see: ({ tools }) => (tools as JsonObject[]).map(({ name }) => name),
    declared: ['find'],
    silent: [],
  },
  cacheMarksOnTools: {
    trait: { cacheMarksOnTools: true },
    limits: { cacheMarks: ['5m'] },
    model: { promptCache: '5m' },
    members: { tools: [tool] },
    see: ({ tools }) => (tools as JsonObject[]).map(({ cache }) => cache),
    declared: [{ ttl: '5m' }],
    silent: [undefined],
  },
};

describe('a third-party wire', () => {
  let scene: Scene;
  afterEach(() => scene.stop());

  const start = async ({ traits, limits, wires = 'slips', model }: Setting): Promise<void> => {
    const buildRequest: EndpointWire['buildRequest'] = ({ headers, body }) => ({
      origin: scene.upstream.url,
      path: '/',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const own = defineProvider({
      kind: 'provider',
      apiVersion: 1,
      name: 'own',
      schema: { type: 'object' },
      codecs: [createSlipsCodec(traits, limits)],
      create: () => ({
        credentials: [{ id: 'own-key' }],
        endpoint: () => ({
          origin: { provider: 'own', family: 'own' },
          wires: [{ operation: 'generate', wire: wires, buildRequest }],
        }),
      }),
    });
    const routes = [
      { path: '/v1/chat/completions', wire: 'chat-completions' },
      { path: '/v1/messages', wire: 'messages' },
      { path: '/v1/slips', wire: 'slips' },
    ];
    const models = { 'own/model': { targets: [{ provider: 'own', model: 'inner' }], ...model } };
    scene = await startScene(
      { providers: { own: { use: 'own' } }, routes, models },
      { ...builtIns, provider: { ...builtIns.provider, own } },
    );
    scene.upstream.answer = (response) =>
      answerJson(response, wires === 'slips' ? {} : JSON.parse(chatBody(goodDay.chat, someTokens)));
  };
  const post = (path: string, members: JsonObject): Promise<HttpReply> =>
    send(scene.gateway.url, { path, body: JSON.stringify({ model: 'own/model', ...members }) });
  const hi = { messages: [{ role: 'user', content: 'Hi' }] };

  for (const [
    name,
    { trait, members, path = '/v1/chat/completions', limits, model, see, declared, silent },
  ] of Object.entries(cases)) {
    it(`gives the third-party wire what it declares: ${name}`, async () => {
      for (const [traits, expected] of [
        [trait, declared],
        [{}, silent],
      ] as const) {
        await start(omitUndefined({ traits, limits, model }));
        const reply = await post(path, { ...hi, ...members });
        expect([reply.status, reply.headers['x-koine-lane']], reply.text).to.deep.equal([200, 'translated']);
        expect(see(scene.upstream.calls[0]?.body as JsonObject), JSON.stringify(traits)).to.deep.equal(expected);
        if (traits === trait) await scene.stop();
      }
    });
  }

  const lines = [{ text: 'Hi' }, { image: 'iVBORw0KGgo=' }];

  it('names losses by the field names of the third-party wire', async () => {
    const lossesOf = async (traits: WireTraits): Promise<unknown> => {
      await start({ traits, wires: 'chat-completions', model: { capabilities: { maxOutput: 20 } } });
      return (await post('/v1/slips', { lines: [{ text: 'Hi' }], halts: ['a', 'b', 'c', 'd', 'e'], most: 30 })).headers[
        'x-koine-losses'
      ];
    };
    expect(await lossesOf(slipsNames)).to.equal('most;approximated, halts;approximated');
    await scene.stop();
    expect(await lossesOf({})).to.equal('max_tokens;approximated, stop;approximated');
  });

  it('names refused members by their place in the third-party request', async () => {
    const placeOf = async (traits: WireTraits): Promise<unknown> => {
      await start({ traits, wires: 'chat-completions', model: { capabilities: { vision: false } } });
      const reply = await post('/v1/slips', { lines });
      return [reply.status, (JSON.parse(reply.text) as JsonObject)['at']];
    };
    expect(await placeOf(slipsNames)).to.deep.equal([400, 'lines[1]']);
    await scene.stop();
    expect(await placeOf({})).to.deep.equal([400, 'messages']);
  });

  it('offers the third-party wire for every model unless the wire has to be opened', async () => {
    const statusOf = async (traits: WireTraits, model: object): Promise<number> => {
      await start({ traits, model });
      return (await post('/v1/slips', { lines: [{ text: 'Hi' }] })).status;
    };
    expect(await statusOf({}, {})).to.equal(200);
    await scene.stop();
    expect(await statusOf({ optIn: true }, {})).to.equal(400);
    await scene.stop();
    expect(await statusOf({ optIn: true }, { wires: ['slips'] })).to.equal(200);
  });
});
