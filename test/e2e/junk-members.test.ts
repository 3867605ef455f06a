import { expect } from 'chai';
import { reasoning } from '../matrix/cases/reasoning.ts';
import { jsonSchema } from '../matrix/cases/structured-output.ts';
import { toolResults } from '../matrix/cases/tool-results.ts';
import { forcedCall } from '../matrix/cases/tools.ts';
import { chatBody } from '../matrix/vendor-chat.ts';
import { messagesBody } from '../matrix/vendor-messages.ts';
import { goodDay } from '../matrix/matrix-case.ts';
import { someTokens, type Json, type Wire } from '../matrix/wires.ts';
import { goodHeaders, readError } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';

/** Values that no reader expects; the names are those that every object of JavaScript has. */
const junk: readonly unknown[] = [null, true, 0, -1, 1.5, '', 'x', 'constructor', 'toString', [], [null], [[]], {}, { type: 'constructor' }, { type: 'toString', constructor: 1 }];

const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };
const models: Readonly<Record<Wire, readonly string[]>> = { chat: [CHAT, MESSAGES], messages: [CHAT, MESSAGES] };
const thinking = [{ type: 'thinking', thinking: 'x', signature: 'SIG' }, { type: 'redacted_thinking', data: 'x' }];

/** Requests that use every member between them. */
const requests: Readonly<Record<Wire, readonly Json[]>> = {
  chat: [
    { ...toolResults.request.chat, stop: ['a'], n: 1, seed: 1, user: 'u', logit_bias: { a: 1 }, logprobs: true, top_logprobs: 1, stream_options: {}, metadata: { a: 'b' } },
    { ...forcedCall.request.chat, reasoning: { effort: 'low', max_tokens: 10, exclude: false }, temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, service_tier: 'auto' },
    { ...jsonSchema.request.chat, ...reasoning.request.chat, response_format: jsonSchema.request.chat['response_format'], max_tokens: 5_000 },
    {
      messages: [
        { role: 'user', name: 'n', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } }, { type: 'file', file: { filename: 'a', file_data: 'data:application/pdf;base64,JVBERi0=' } }] },
        { role: 'assistant', content: 'x', refusal: 'x', reasoning_content: 'x', reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'y', index: 0 }] },
        { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      ],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] } },
      functions: [{ name: 'a', parameters: {} }],
      function_call: { name: 'a' },
    },
  ],
  messages: [
    { ...toolResults.request.messages, system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }], stop_sequences: ['a'], metadata: { user_id: 'u' }, service_tier: 'auto', inference_geo: 'eu' },
    { ...forcedCall.request.messages, temperature: 1, top_p: 1, top_k: 1 },
    { ...reasoning.request.messages, ...jsonSchema.request.messages, max_tokens: 5_000, output_config: { effort: 'low', ...(jsonSchema.request.messages['output_config'] as object) } },
    {
      max_tokens: 100,
      messages: [
        { role: 'user', content: [{ type: 'document', title: 'a', context: 'c', citations: { enabled: true }, source: { type: 'content', content: [{ type: 'text', text: 'x' }] } }, { type: 'search_result', title: 't', source: 's', content: [{ type: 'text', text: 'x' }] }] },
        { role: 'assistant', content: [...thinking, { type: 'text', text: 'x', citations: [{ type: 'char_location' }] }] },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      ],
    },
  ],
};

/** Every way to put one piece of junk into a value. */
const spoil = function* (value: unknown, put: (changed: unknown) => unknown): Generator<unknown> {
  for (const piece of junk) yield put(piece);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* spoil(item, (changed) => put(value.with(index, changed)));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* spoil(member, (changed) => put({ ...value, [name]: changed }));
  }
};

describe('junk in the place of any member', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = (response, { path }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(path === '/v1/messages' ? messagesBody(goodDay.messages, someTokens) : chatBody(goodDay.chat, someTokens));
    };
  });
  after(() => scene.stop());

  /** A member that makes the request a stream would need another answer: such a body is skipped. */
  const check = async (wire: Wire, body: Json, name: string): Promise<string | undefined> => {
    if (body['stream'] === true) return undefined;
    const reply = await fetch(scene.gateway.url + paths[wire], { method: 'POST', headers: goodHeaders, body: JSON.stringify(body) });
    const text = await reply.text();
    if (reply.status === 200) return undefined;
    const { error } = readError({ status: reply.status, headers: {}, text });
    return reply.status === 400 && error.type === 'invalid_request_error' && error.message !== '' ? undefined : `${reply.status} for ${name} ${JSON.stringify(body[name]).slice(0, 300)}`;
  };

  for (const wire of ['chat', 'messages'] as const) {
    for (const model of models[wire]) {
      for (const [index, request] of requests[wire].entries()) {
        it(`is read or refused, never a failure: ${wire} to ${model}, request ${index + 1}`, async function () {
          this.timeout(60_000);
          const failures: string[] = [];
          for (const [name, member] of Object.entries(request)) {
            for (const changed of spoil(member, (value) => value)) {
              const failure = await check(wire, { ...request, model, [name]: changed }, name);
              if (failure !== undefined) failures.push(failure);
            }
          }
          expect(await check(wire, { ...request, model }, 'model')).to.equal(undefined);
          if (failures.length > 0) throw new Error([`${failures.length} failures:`, ...failures.slice(0, 5)].join('\n'));
          expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
        });
      }
    }
  }
});
