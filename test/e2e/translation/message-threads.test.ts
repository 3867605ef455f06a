import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { pluginsWith } from '../../support/failover-scene.ts';
import { KEY } from '../../support/gateway.ts';
import { isStreamed, wireAt } from '../../support/calls.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { entryOf, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../support/upstream.ts';
import { textAnswer } from '../../matrix/sample-bodies.ts';
import { textOf, type VendorAnswers } from '../../matrix/vendors/vendors.ts';

const call = { id: 'toolu_1', name: 'get_weather' };
const asksForWeather: VendorAnswers = {
  chat: { message: { tool_calls: [{ ...call, arguments: '{"city":"Paris"}' }] }, finish: 'tool_calls' },
  messages: { content: [{ type: 'tool_use', ...call, input: { city: 'Paris' } }], finish: 'tool_use' },
  responses: {
    output: [{ type: 'function_call', call_id: call.id, name: call.name, arguments: '{"city":"Paris"}' }],
  },
  google: { parts: [{ functionCall: { ...call, args: { city: 'Paris' } } }], finish: 'STOP' },
};

/** A model that calls the tool once, and answers only if it reads the question again together with the result. */
const answerOf = ({ raw }: UpstreamCall): VendorAnswers => {
  const said = raw.toString();
  if (!said.includes('18 degrees')) return asksForWeather;
  return textAnswer(said.includes('How warm is it') ? 'It is 18 degrees.' : 'What was the question?');
};

const tool = (asked: string[]) =>
  betaTool({
    name: 'get_weather',
    description: 'The weather in a city.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: ({ city }: { city: string }) => {
      asked.push(city);
      return '18 degrees';
    },
  });
const targetsOf = (id: string): readonly object[] => (entryOf(id) as { targets: readonly object[] }).targets;
const question = { role: 'user', content: 'How warm is it in Paris?' } as const;

describe('message threads', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = (response, call) => {
      const streamed = isStreamed(call);
      response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(textOf(wireAt(call.path), streamed ? 'streamed' : 'plain', answerOf(call)));
    };
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });

  const client = (): Anthropic => new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
  const readText = (message: { readonly content: readonly object[] } | undefined): unknown =>
    message?.content.map((block) => ('text' in block ? block.text : ''));

  for (const wire of ['chat', 'responses', 'google', 'messages'] as const) {
    it(`the tool runner ends with the answer of a model over ${wire}, without a thread`, async () => {
      for (const stream of [false, true]) {
        const asked: string[] = [];
        const runner = client().beta.messages.toolRunner({
          model: modelIds[wire],
          max_tokens: 100,
          messages: [question],
          tools: [tool(asked)],
          stream,
        });
        expect(readText(await runner), `stream: ${stream}`).to.deep.equal(['It is 18 degrees.']);
        expect(asked).to.deep.equal(['Paris']);
      }
      expect(scene.upstream.calls).to.have.length(4);
      expect(scene.upstream.calls.filter(({ body }) => 'thread' in body)).to.deep.equal([]);
    });
  }

  it('a thread that may go on without one sends the whole conversation', async () => {
    const thread = client().beta.messages.thread({
      model: modelIds.chat,
      max_tokens: 100,
      unsupportedRequestBehavior: 'continue_unthreaded',
    });
    expect((await thread.send(question)).stop_reason).to.equal('tool_use');
    const result = { type: 'tool_result', tool_use_id: call.id, content: '18 degrees' } as const;
    expect(readText(await thread.send({ role: 'user', content: [result] }))).to.deep.equal(['It is 18 degrees.']);
  });

  it('a request with a thread gets the error code on which SDKs send the whole conversation', async () => {
    for (const thread of [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]) {
      const body = JSON.stringify({ model: modelIds.google, max_tokens: 9, messages: [question], thread });
      const reply = await send(scene.gateway.url, { path: '/v1/messages', body });
      expect(reply.status).to.equal(400);
      expect(JSON.parse(reply.text).error).to.deep.include({
        type: 'invalid_request_error',
        details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
      });
    }
    expect(scene.upstream.calls).to.deep.equal([]);
  });
});

/** A vendor that holds the conversation of each thread, for the key that created it. */
const createThreadVendor = () => {
  const held = new Map<string, { readonly key: unknown; readonly messages: readonly unknown[] }>();
  return {
    held,
    answer: (response: ServerResponse, { body, headers }: UpstreamCall): void => {
      const { thread, messages = [] } = body as { thread?: Record<string, string>; messages?: readonly unknown[] };
      const key = headers['x-api-key'];
      const before = held.get(thread?.['previous_message_id'] ?? '');
      if (thread?.['type'] === 'continue' && before?.key !== key) {
        const error = { type: 'not_found_error', message: 'No thread.', details: { error_code: 'thread_not_found' } };
        return answerJson(response, { type: 'error', error }, 404);
      }
      const conversation = [...(before?.messages ?? []), ...messages];
      const call = { raw: Buffer.from(JSON.stringify(conversation)) } as UpstreamCall;
      const said = JSON.parse(textOf('messages', 'plain', answerOf(call))) as Record<string, unknown>;
      const id = `msg_${held.size + 1}`;
      if (thread !== undefined)
        held.set(id, { key, messages: [...conversation, { role: 'assistant', content: said['content'] }] });
      answerJson(response, { ...said, id });
    },
  };
};

describe('message threads at a vendor that has them', () => {
  const PLAIN = 'plain-key-0123456789abcdef';
  const FOREIGN = 'foreign-key-0123456789abcdef';
  const keys = { own: { key: KEY }, plain: { key: PLAIN, vendorState: 'refuse' } };
  const organizations = { acme: { projects: { web: { keys }, shop: { keys: { foreign: { key: FOREIGN } } } } } };
  let scene: Scene;
  let upstream: TestUpstream;
  let vendor: ReturnType<typeof createThreadVendor>;
  before(async () => {
    upstream = await startUpstream();
    const server = { baseUrl: upstream.url, threads: 'on' };
    const two = { ...server, apiKeys: ['upstream-secret-1', 'upstream-secret-2'] };
    const openai = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    scene = await startScene({
      organizations,
      plugins: pluginsWith({}),
      providers: {
        anthropic: { use: 'anthropic', config: { ...server, apiKey: 'upstream-secret' } },
        rotated: { use: 'anthropic', config: two },
        openai: { use: 'openai', config: openai },
      },
      models: {
        [modelIds.messages]: entryOf(modelIds.messages),
        'acme/rotated': { targets: [{ provider: 'rotated', model: 'claude-sonnet-4-5' }] },
        'acme/both': { targets: [...targetsOf(modelIds.messages), ...targetsOf(modelIds.chat)], wires: ['messages'] },
      },
    });
  });
  after(async () => {
    await scene.stop();
    await upstream.stop();
  });
  beforeEach(() => {
    vendor = createThreadVendor();
    upstream.calls.length = 0;
    upstream.answer = vendor.answer;
  });

  const run = async (model: string, apiKey: string): Promise<readonly unknown[]> => {
    const { messages } = new Anthropic({ apiKey, baseURL: scene.gateway.url, maxRetries: 0 }).beta;
    const said = await messages.toolRunner({ model, max_tokens: 100, messages: [question], tools: [tool([])] });
    return said.content;
  };
  const typesOfThreads = (): readonly unknown[] =>
    upstream.calls.map(({ body }) => (body['thread'] as { readonly type?: string } | undefined)?.type);

  it('a thread passes through', async () => {
    expect(await run(modelIds.messages, KEY)).to.deep.include({ type: 'text', text: 'It is 18 degrees.' });
    expect(typesOfThreads()).to.deep.equal(['create', 'continue']);
  });

  it('a thread goes on with the credential that created it, and with no other when that fails', async () => {
    upstream.answer = (response, call) => {
      if (typesOfThreads().at(-1) === 'create') return vendor.answer(response, call);
      const error = { type: 'rate_limit_error', message: 'Too many requests.' };
      return answerJson(response, { type: 'error', error }, 429);
    };
    await run('acme/rotated', KEY).catch((error: unknown) => expect(error).to.be.instanceOf(APIError));
    const secrets = upstream.calls.map(({ headers }) => headers['x-api-key']);
    expect(typesOfThreads().slice(0, 2)).to.deep.equal(['create', 'continue']);
    expect(new Set(secrets).size).to.equal(1);
  });

  it('a thread of another project is not found, with the code on which SDKs create a new one', async () => {
    await run(modelIds.messages, KEY);
    const [id = ''] = vendor.held.keys();
    upstream.calls.length = 0;
    const replies = [id, 'msg_never'].map((previous) =>
      send(scene.gateway.url, {
        path: '/v1/messages',
        headers: { ...goodHeaders, authorization: `Bearer ${FOREIGN}` },
        body: JSON.stringify({
          model: modelIds.messages,
          max_tokens: 9,
          messages: [question],
          thread: { type: 'continue', previous_message_id: previous },
        }),
      }),
    );
    const [foreign, unknown] = await Promise.all(replies);
    expect(foreign?.status).to.equal(404);
    const { error } = JSON.parse(foreign?.text ?? '') as { readonly error: object };
    expect(error).to.deep.include({ type: 'not_found_error', details: { error_code: 'thread_not_found' } });
    expect(error).to.deep.equal((JSON.parse(unknown?.text ?? '') as { readonly error: object }).error);
    expect(upstream.calls).to.deep.equal([]);
  });

  it('a key that must not refer to the state of vendors goes on without a thread', async () => {
    expect(await run(modelIds.messages, PLAIN)).to.deep.include({ type: 'text', text: 'It is 18 degrees.' });
    expect(typesOfThreads()).to.deep.equal([undefined, undefined]);
  });

  it('no other target continues a thread when its vendor fails', async () => {
    upstream.answer = (response, call) => {
      const isContinued = typesOfThreads().at(-1) === 'continue';
      if (wireAt(call.path) === 'messages' && !isContinued) return vendor.answer(response, call);
      const error = { type: 'overloaded_error', message: 'Overloaded' };
      return answerJson(response, { type: 'error', error }, 529);
    };
    await run('acme/both', KEY).catch((error: unknown) => expect(error).to.be.instanceOf(APIError));
    expect(typesOfThreads()).to.include('continue');
    const foreign = upstream.calls.filter(({ path }) => wireAt(path) !== 'messages');
    for (const { raw } of foreign) expect(raw.toString()).to.include('How warm is it');
  });
});
