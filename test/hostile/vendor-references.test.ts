import { expect } from 'chai';
import { hello } from '../matrix/sample-bodies.ts';
import type { Json, Wire } from '../matrix/wires.ts';
import { headOf, pathOf, greet } from '../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../support/http.ts';
import { modelIds, startScene, type Scene } from '../support/scene.ts';

const PLAIN = 'plain-key-0123456789abcdef';
const TRUSTED = 'trusted-key-0123456789abcdef';
const organizations = {
  acme: { projects: { web: { keys: { plain: { key: PLAIN }, trusted: { key: TRUSTED, vendorState: 'allow' } } } } },
};

const user = (content: unknown): Json => ({ messages: [{ role: 'user', content }] });
const input = (...items: readonly Json[]): Json => ({ input: [{ role: 'user', content: 'Hi' }, ...items] });
const parts = (...list: readonly Json[]): Json => ({ contents: [{ role: 'user', parts: list }] });

/** Members that refer to something stored at the vendor, by the path that the refusal names. */
const references: Readonly<Record<Wire, readonly (readonly [path: string, more: Json])[]>> = {
  chat: [
    ['messages[0].content[0].file.file_id', user([{ type: 'file', file: { file_id: 'file-1' } }])],
    ['messages[0].audio.id', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['Previous_Response_ID', { Previous_Response_ID: 'resp_1' }],
    ['thread', { thread: { id: 'thread_1' } }],
    ['thread_id', { thread_id: 'thread_1' }],
    ['assistant_id', { assistant_id: 'asst_1' }],
    ['container', { container: 'cntr_1' }],
    ['vector_store_ids[0]', { vector_store_ids: ['vs_1'] }],
    ['tool_resources', { tool_resources: { file_search: { vector_store_ids: ['vs_1'] } } }],
    ['extra_body.google.cached_content', { extra_body: { google: { cached_content: 'cachedContents/1' } } }],
  ],
  messages: [
    ['container', { container: 'container_1' }],
    ['container.id', { container: { id: 'container_1' } }],
    ['thread', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ['thread', { thread: { type: 'continue' } }],
    ['diagnostics.previous_message_id', { diagnostics: { previous_message_id: 'msg_1' } }],
    [
      'container.skills[1]',
      {
        container: {
          skills: [
            { type: 'anthropic', skill_id: 'pptx' },
            { type: 'custom', skill_id: 'skill_1' },
          ],
        },
      },
    ],
    ['messages[0].content[0].file_id', user([{ type: 'container_upload', file_id: 'file_1' }])],
    [
      'messages[0].content[0].source.file_id',
      user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }]),
    ],
    [
      'messages[0].content[0].content[0].source.file_id',
      user([
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }],
        },
      ]),
    ],
  ],
  responses: [
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['input[1]', input({ type: 'item_reference', id: 'msg_1' })],
    ['input[1]', input({ id: 'msg_1' })],
    [
      'input[1].container_id',
      input({
        type: 'code_interpreter_call',
        id: 'ci_1',
        container_id: 'cntr_1',
        code: '1',
        status: 'completed',
        outputs: [],
      }),
    ],
    ['input[1].content[0].file_id', input({ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] })],
    [
      'input[1].content[0].file_id',
      input({ role: 'user', content: [{ type: 'input_image', detail: 'auto', file_id: 'file-1' }] }),
    ],
    [
      'input[1].output[0].file_id',
      input({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] }),
    ],
    ['tools[0].vector_store_ids[0]', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['tools[0].container', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
    [
      'tools[0].container.file_ids[0]',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] },
    ],
    [
      'tools[0].input_image_mask.file_id',
      { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }] },
    ],
  ],
  google: [
    ['cachedContent', { cachedContent: 'cachedContents/1' }],
    ['cached_content', { cached_content: 'cachedContents/1' }],
    [
      'contents[0].parts[0].fileData.fileUri',
      parts({
        fileData: { mimeType: 'image/png', fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' },
      }),
    ],
    [
      'contents[0].parts[0].file_data.file_uri',
      parts({ file_data: { mime_type: 'image/png', file_uri: 'files/abc' } }),
    ],
    [
      'contents[0].parts[0].fileData.fileUri',
      parts({ fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }),
    ],
    [
      'systemInstruction.parts[0].fileData.fileUri',
      { systemInstruction: { parts: [{ fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }] } },
    ],
    ['tools[0].fileSearch', { tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] }],
    ['tools[0].retrieval', { tools: [{ retrieval: { vertexAiSearch: { datastore: 'd' } } }] }],
  ],
};

/** Members that look like references and are not. */
const harmless: Readonly<Record<Wire, readonly Json[]>> = {
  chat: [
    {
      tools: [
        {
          type: 'function',
          function: {
            name: 'f',
            parameters: { type: 'object', properties: { file_id: { type: 'string' }, thread_id: { type: 'string' } } },
          },
        },
      ],
    },
    { previous_response_id: null },
    { metadata: { file_id: 'a', thread_id: 'b' } },
  ],
  messages: [
    { tools: [{ name: 'f', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }] },
    { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } },
    { diagnostics: { previous_message_id: null } },
  ],
  responses: [
    { previous_response_id: null, store: true },
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    input(
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"file_id":"a"}' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ),
  ],
  google: [
    parts({ fileData: { mimeType: 'video/mp4', fileUri: 'https://www.youtube.com/watch?v=1' } }),
    parts({ text: 'cachedContent' }),
  ],
};

const cases = (Object.keys(references) as Wire[]).flatMap((wire) =>
  references[wire].map(([path, more]) => ({ wire, path, more })),
);
const bodyOf = (wire: Wire, more: Json): string =>
  JSON.stringify({ ...hello[wire], ...headOf(wire, modelIds[wire]), ...more });

describe('references to objects stored at a provider', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      organizations,
      routes: [
        { path: '/v1/chat/completions', wire: 'chat-completions' },
        { path: '/v1/messages', wire: 'messages' },
        { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
        { path: '/v1/responses', wire: 'responses' },
        { path: '/v1/responses/input_tokens', wire: 'responses', operation: 'count-tokens' },
        { path: '/v1/responses/compact', wire: 'responses', operation: 'compact' },
        { path: '/v1beta/models/{model}:generateContent', wire: 'generate-content' },
        { path: '/v1beta/models/{model}:countTokens', wire: 'generate-content', operation: 'count-tokens' },
        { path: '/open/responses', wire: 'responses', vendorState: 'allow' },
      ],
    });
    scene.upstream.answer = greet;
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const post = (key: string, path: string, body: string): Promise<HttpReply> =>
    send(scene.gateway.url, { path, body, headers: { ...goodHeaders, authorization: `Bearer ${key}` } });

  /** The vendor of the wire responses has a code of its own for an earlier response that it does not have. */
  const statusOf = (wire: string, path: string | undefined): number =>
    wire === 'responses' && path === 'previous_response_id' ? 400 : 404;

  for (const { wire, path, more } of cases) {
    it(`refuses and names the reference ${path} on ${wire}`, async () => {
      const reply = await post(PLAIN, pathOf(wire, modelIds[wire]), bodyOf(wire, more));
      expect(reply.status).to.equal(statusOf(wire, path));
      expect(reply.text)
        .to.include(`'${path}' refers to something stored at the provider`)
        .and.include('vendorState: allow');
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  it('vendor references are refused on the translated lane too', async () => {
    const reply = await post(
      PLAIN,
      pathOf('responses', modelIds.chat),
      JSON.stringify({ ...hello.responses, model: modelIds.chat, previous_response_id: 'resp_1' }),
    );
    expect(reply.status).to.equal(400);
    expect(reply.text).to.include("'previous_response_id' refers to something stored");
  });

  for (const [wire, path, more] of [
    [
      'messages',
      '/v1/messages/count_tokens',
      user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }]),
    ],
    ['responses', '/v1/responses/input_tokens', { previous_response_id: 'resp_1' }],
    ['responses', '/v1/responses/compact', { previous_response_id: 'resp_1' }],
    [
      'google',
      `/v1beta/models/${modelIds.google}:countTokens`,
      {
        generateContentRequest: {
          ...hello.google,
          model: `models/${modelIds.google}`,
          cachedContent: 'cachedContents/1',
        },
      },
    ],
  ] as const) {
    it(`refuses references in token counts and compactions: ${path}`, async () => {
      const body = wire === 'google' ? JSON.stringify(more) : bodyOf(wire, more);
      const reply = await post(PLAIN, path, body);
      expect(reply.status).to.equal(statusOf(wire, Object.keys(more)[0]));
      expect(reply.text).to.include('refers to something stored at the provider');
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  it('accepts references for a key or on a route with vendorState: allow', async () => {
    const body = bodyOf('responses', { previous_response_id: 'resp_1' });
    for (const [key, path] of [
      [TRUSTED, '/v1/responses'],
      [PLAIN, '/open/responses'],
    ] as const)
      expect((await post(key, path, body)).status, path).to.equal(200);
    expect(scene.upstream.calls.map(({ body: { previous_response_id: id } }) => id)).to.deep.equal([
      'resp_1',
      'resp_1',
    ]);
    for (const { wire, path, more } of cases) {
      const { text } = await post(TRUSTED, pathOf(wire, modelIds[wire]), bodyOf(wire, more));
      expect(text, `${path} on ${wire}`).to.not.include('refers to something stored');
    }
  });

  for (const wire of Object.keys(harmless) as Wire[]) {
    it(`ignores members in schemas, arguments and settings that are not references: ${wire}`, async () => {
      for (const more of harmless[wire])
        expect(
          (await post(PLAIN, pathOf(wire, modelIds[wire]), bodyOf(wire, more))).status,
          JSON.stringify(more),
        ).to.equal(200);
    });
  }
});
