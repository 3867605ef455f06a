import { expect } from 'chai';
import { Client } from 'undici';
import { reasoning } from '../../matrix/cases/reasoning.ts';
import { jsonSchema } from '../../matrix/cases/structured-output.ts';
import { toolResults } from '../../matrix/cases/tool-results.ts';
import { forcedCall } from '../../matrix/cases/tools.ts';
import { idOf } from '../../matrix/catalog.ts';
import { startMatrix, type MatrixScene } from '../../matrix/matrix-scene.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf, vendorPaths } from '../../matrix/vendors/vendors.ts';
import { defaultModels, wires, type Json, type Wire } from '../../matrix/wires.ts';
import { goodHeaders } from '../../support/http.ts';

/** Values that no reader expects; the names are those that every object of JavaScript has. */
const junk: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  'constructor',
  'toString',
  [],
  [null],
  [[]],
  {},
  { type: 'constructor' },
  { type: 'toString', constructor: 1 },
];

const paths: Readonly<Record<Wire, (model: string) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  google: (model) => `/v1beta/models/${model}:generateContent`,
};
const thinking = [
  { type: 'thinking', thinking: 'x', signature: 'SIG' },
  { type: 'redacted_thinking', data: 'x' },
];

/** Of each client: its own wire, and one that it is translated to. */
const targets: Readonly<Record<Wire, readonly Wire[]>> = {
  chat: ['chat', 'messages'],
  messages: ['messages', 'chat'],
  responses: ['responses', 'google'],
  google: ['google', 'messages'],
};

/** Requests that use every member between them. */
const requests: Readonly<Record<Wire, readonly Json[]>> = {
  chat: [
    {
      ...toolResults.request.chat,
      stop: ['a'],
      n: 1,
      seed: 1,
      user: 'u',
      logit_bias: { a: 1 },
      logprobs: true,
      top_logprobs: 1,
      stream_options: {},
      metadata: { a: 'b' },
    },
    {
      ...forcedCall.request.chat,
      reasoning: { effort: 'low', max_tokens: 10, exclude: false },
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      service_tier: 'auto',
    },
    {
      ...jsonSchema.request.chat,
      ...reasoning.request.chat,
      response_format: jsonSchema.request.chat['response_format'],
      max_tokens: 5_000,
    },
    {
      messages: [
        {
          role: 'user',
          name: 'n',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
            { type: 'file', file: { filename: 'a', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          ],
        },
        {
          role: 'assistant',
          content: 'x',
          refusal: 'x',
          reasoning_content: 'x',
          reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 'y', index: 0 }],
        },
        { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
      },
      functions: [{ name: 'a', parameters: {} }],
      function_call: { name: 'a' },
    },
  ],
  messages: [
    {
      ...toolResults.request.messages,
      system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
      stop_sequences: ['a'],
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      inference_geo: 'eu',
    },
    { ...forcedCall.request.messages, temperature: 1, top_p: 1, top_k: 1 },
    {
      ...reasoning.request.messages,
      ...jsonSchema.request.messages,
      max_tokens: 5_000,
      output_config: { effort: 'low', ...(jsonSchema.request.messages['output_config'] as object) },
    },
    {
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'a',
              context: 'c',
              citations: { enabled: true },
              source: { type: 'content', content: [{ type: 'text', text: 'x' }] },
            },
            { type: 'search_result', title: 't', source: 's', content: [{ type: 'text', text: 'x' }] },
          ],
        },
        {
          role: 'assistant',
          content: [...thinking, { type: 'text', text: 'x', citations: [{ type: 'char_location' }] }],
        },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      ],
    },
  ],
  responses: [
    {
      ...toolResults.request.responses,
      instructions: 'x',
      truncation: 'auto',
      metadata: { a: 'b' },
      include: ['reasoning.encrypted_content'],
      safety_identifier: 'u',
      max_tool_calls: 1,
    },
    {
      ...forcedCall.request.responses,
      reasoning: { effort: 'low', summary: 'auto' },
      temperature: 1,
      top_p: 1,
      top_logprobs: 1,
      service_tier: 'auto',
      store: false,
      stream_options: {},
    },
    {
      ...reasoning.request.responses,
      text: { verbosity: 'low', ...(jsonSchema.request.responses['text'] as object) },
      prompt_cache_key: 'k',
      user: 'u',
      background: false,
      previous_response_id: null,
    },
    {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
            { type: 'input_file', filename: 'a', file_data: 'data:application/pdf;base64,JVBERi0=' },
          ],
        },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'x' }],
          content: [{ type: 'reasoning_text', text: 'x' }],
          encrypted_content: 'x',
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          phase: 'commentary',
          content: [
            {
              type: 'output_text',
              text: 'x',
              annotations: [
                { type: 'url_citation', url: 'https://example.com', title: 't', start_index: 0, end_index: 1 },
              ],
              logprobs: [],
            },
          ],
        },
        { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'x' },
        { type: 'function_call', call_id: 'd', name: 'e', namespace: 'n', arguments: '{}' },
        { type: 'function_call_output', call_id: 'd', output: [{ type: 'input_text', text: 'x' }] },
      ],
      tools: [
        { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
        { type: 'namespace', name: 'n', description: 'x', tools: [{ type: 'function', name: 'e', parameters: {} }] },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'patch' }] },
    },
  ],
  google: [
    {
      ...toolResults.request.google,
      systemInstruction: { parts: [{ text: 'x' }] },
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' }],
      labels: { a: 'b' },
    },
    {
      ...forcedCall.request.google,
      generationConfig: {
        temperature: 1,
        topP: 1,
        topK: 1,
        candidateCount: 1,
        seed: 1,
        stopSequences: ['a'],
        presencePenalty: 0,
        frequencyPenalty: 0,
        responseLogprobs: true,
        logprobs: 1,
      },
    },
    {
      ...reasoning.request.google,
      tools: [],
      generationConfig: {
        maxOutputTokens: 5_000,
        ...(jsonSchema.request.google['generationConfig'] as object),
        thinkingConfig: { thinkingBudget: 2_000, includeThoughts: true },
      },
    },
    {
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
            { text: 'x', partMetadata: {}, videoMetadata: { fps: 1 } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'x', thought: true, thoughtSignature: 'eA==' },
            { functionCall: { name: 'f', args: { a: 1 } } },
            { functionCall: { name: 'f', args: {} } },
            { executableCode: { language: 'PYTHON', code: '1' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: { result: 1 } } },
            { functionResponse: { name: 'f', response: { error: 'x' } } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true, enum: ['x'] } } },
            },
          ],
        },
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
    for (const [name, member] of Object.entries(value))
      yield* spoil(member, (changed) => put({ ...value, [name]: changed }));
  }
};

describe('junk values in any member', () => {
  let scene: MatrixScene;
  let connection: Client;
  before(async () => {
    scene = await startMatrix();
    connection = new Client(scene.gateway.url, { pipelining: 4 });
    const wireOf = (path: string): Wire =>
      wires.find((wire) => vendorPaths[wire](defaultModels[wire], 'plain') === path) ?? 'chat';
    scene.upstream.answer = (response, { path }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(wireOf(path), 'plain', goodDay));
  });
  after(async () => {
    await connection.close();
    await scene.stop();
  });

  /** A member that makes the request a stream would need another answer: such a body is skipped. */
  const check = async (client: Wire, model: string, request: Json, name: string): Promise<string | undefined> => {
    const body = client === 'google' ? request : { model, ...request };
    if (body['stream'] === true) return undefined;
    const reply = await connection.request({
      method: 'POST',
      path: paths[client](model),
      headers: goodHeaders,
      body: JSON.stringify(body),
    });
    const text = await reply.body.text();
    if (reply.statusCode === 200) return undefined;
    const { error } = JSON.parse(text) as { readonly error: Json };
    const isTold = (error['type'] ?? 'invalid_request_error') === 'invalid_request_error' && error['message'] !== '';
    return reply.statusCode === 400 && isTold
      ? undefined
      : `${reply.statusCode} for ${name} ${JSON.stringify(body[name]).slice(0, 300)}: ${text.slice(0, 200)}`;
  };

  for (const client of wires) {
    for (const wire of targets[client]) {
      const model = idOf(wire);
      for (const [index, request] of requests[client].entries()) {
        it(`junk is accepted or refused and never causes a 500: ${client} to ${model}, request ${index + 1}`, async () => {
          const failures: string[] = [];
          for (const [name, member] of Object.entries(request)) {
            for (const changed of spoil(member, (value) => value)) {
              const failure = await check(client, model, { ...request, [name]: changed }, name);
              if (failure !== undefined) failures.push(failure);
            }
          }
          expect(await check(client, model, request, 'model')).to.equal(undefined);
          if (failures.length > 0)
            throw new Error([`${failures.length} failures:`, ...failures.slice(0, 5)].join('\n'));
          expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
        });
      }
    }
  }
});
