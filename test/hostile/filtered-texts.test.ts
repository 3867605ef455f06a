import { expect } from 'chai';
import { hello } from '../matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { greet, headOf, pathOf } from '../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../support/http.ts';
import { modelIds, startScene, type Scene } from '../support/scene.ts';

const ADDRESS = 'joe@example.com';
const user = (content: unknown): Json => ({ messages: [{ role: 'user', content }] });
const input = (...items: readonly Json[]): Json => ({ input: [{ role: 'user', content: 'Hi' }, ...items] });
const parts = (...list: readonly Json[]): Json => ({ contents: [{ role: 'user', parts: list }] });
const schema = (text: string): Json => ({
  type: 'object',
  description: `Of ${text}`,
  properties: { to: { type: 'string', enum: [text, 'other'], default: text } },
});
const chatTool = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const document = (text: string): Json => ({
  type: 'document',
  title: `About ${text}`,
  context: `From ${text}`,
  source: { type: 'text', media_type: 'text/plain', data: `Write to ${text}.` },
});
const toolUse = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] };
const toolResult = (content: unknown): Json => ({
  messages: [
    { role: 'user', content: 'Hi' },
    toolUse,
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ],
});

type Compose = (address: string) => Json;

/** Where a request can have an address, by the wire of the client. */
const places: Readonly<Record<Wire, Readonly<Record<string, Compose>>>> = {
  chat: {
    'a prediction': (at) => ({ prediction: { type: 'content', content: [{ type: 'text', text: at }] } }),
    'stop': (at) => ({ stop: ['END', at] }),
    'metadata': (at) => ({ metadata: { owner: at } }),
    'a name in metadata': (at) => ({ metadata: { [at]: 'owner' } }),
    'user': (at) => ({ user: at }),
    'the name of a message': (at) => ({ messages: [{ role: 'user', name: at, content: 'Hi' }] }),
    'a description of a tool': (at) => ({ tools: [{ type: 'function', function: { name: 'f', description: at } }] }),
    'the schema of a tool': (at) => ({
      tools: [{ type: 'function', function: { name: 'f', parameters: schema(at) } }],
    }),
    'the schema of the output': (at) => ({
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: schema(at) } },
    }),
    'arguments with escapes': (at) => ({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          tool_calls: [
            {
              ...chatTool,
              function: { name: 'f', arguments: `{"to":"${at.replaceAll('@', String.raw`\u0040`)}"}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sent' },
      ],
    }),
    'an unknown member': (at) => ({ house_notes: { deep: [{ note: at }] } }),
    'the address of an image': (at) =>
      user([{ type: 'image_url', image_url: { url: `https://example.com/?mail=${at}` } }]),
  },
  messages: {
    'a document': (at) => user([document(at)]),
    'a document of parts': (at) =>
      user([{ type: 'document', source: { type: 'content', content: [{ type: 'text', text: at }] } }]),
    'a document in a result of a tool': (at) => toolResult([document(at)]),
    'the input of a tool': (at) => ({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { id: at, [at]: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sent' }] },
      ],
    }),
    'stop': (at) => ({ stop_sequences: [at] }),
    'metadata': (at) => ({ metadata: { user_id: at } }),
    'the schema of a tool': (at) => ({ tools: [{ name: 'f', description: at, input_schema: schema(at) }] }),
    'an unknown member': (at) => ({ house_notes: at }),
    'an unknown part': (at) => user([{ type: 'house_note', note: at }]),
    'bytes that are none': (at) =>
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: at } }]),
  },
  responses: {
    'the output of a shell': (at) =>
      input(
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'call_1', action: { type: 'exec', command: ['cat', at] } },
        { type: 'local_shell_call_output', id: 'call_1', output: `{"stdout":"${at}"}` },
      ),
    'metadata': (at) => ({ metadata: { owner: at } }),
    'user': (at) => ({ user: at }),
    'instructions': (at) => ({ instructions: at }),
    'the schema of a tool': (at) => ({ tools: [{ type: 'function', name: 'f', parameters: schema(at) }] }),
    'an unknown member': (at) => ({ house_notes: { note: at } }),
    'a summary of reasoning': (at) =>
      input({
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: at }],
        encrypted_content: 'YQ==',
      }),
  },
  google: {
    'arguments of a function': (at) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { to: at } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { sent: at } } }] },
      ],
    }),
    'stop': (at) => ({ generationConfig: { stopSequences: [at] } }),
    'labels': (at) => ({ labels: { owner: at } }),
    'an unknown member': (at) => ({ houseNotes: [at] }),
    'the declaration of a function': (at) => ({
      tools: [{ functionDeclarations: [{ name: 'f', description: at, parameters: schema(at) }] }],
    }),
    'code': (at) => parts({ executableCode: { language: 'PYTHON', code: `mail("${at}")` } }),
  },
};

const textParts: Readonly<Record<Wire, (...texts: readonly string[]) => Json>> = {
  chat: (...texts) => user(texts.map((text) => ({ type: 'text', text }))),
  messages: (...texts) => user(texts.map((text) => ({ type: 'text', text }))),
  responses: (...texts) => ({
    input: [{ role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) }],
  }),
  google: (...texts) => parts(...texts.map((text) => ({ text }))),
};

/** Spellings that a model reads as the address. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  'with a zero-width space': ['Write to jo\u200Be@exam\u200B\u2060ple.com now.'],
  'with soft hyphens': ['Write to joe@exam\u00ADple.c\u00ADom now.'],
  'with a fullwidth sign': ['Write to joe＠example.com now.'],
  'in fullwidth and mathematical letters': ['Write to 𝐣𝐨𝐞＠ｅｘａｍｐｌｅ．com now.'],
  'split over two parts': ['Write to joe@exa', 'mple.com now.'],
  'split over three parts, with a zero-width joiner': ['Write to joe', '\u200D@exa', 'mple.com now.'],
};

/** What a model reads: all strings, also those in JSON, in one form and without hidden characters. */
const readAll = (value: unknown): string => {
  if (typeof value === 'string') {
    const visible = value.normalize('NFKC').replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
    try {
      return `${visible}${readAll(JSON.parse(visible))}`;
    } catch {
      return visible;
    }
  }
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([name]) => name !== 'type')
    .map(([name, inner]) => (Array.isArray(value) ? '' : `\n${name === 'text' ? '' : name}\n`) + readAll(inner))
    .join('');
};

describe('texts of a request that the content filter searches', () => {
  let scene: Scene;
  before(async () => {
    const rules = [{ name: 'mail', detect: ['emails', 'card-numbers'], in: ['input'] }];
    scene = await startScene({ plugins: [{ use: 'auth' }, { use: 'content-filter', config: { rules } }] });
    scene.upstream.answer = greet;
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const post = (client: Wire, target: Wire, body: string): Promise<HttpReply> =>
    send(scene.gateway.url, { path: pathOf(client, modelIds[target]), body, headers: goodHeaders });
  const bodyOf = (client: Wire, target: Wire, more: Json): string =>
    JSON.stringify({ ...hello[client], ...headOf(client, modelIds[target]), ...more });
  /** Without line ends, which stand between members: text that is split over parts is read as one. */
  const received = (): string =>
    scene.upstream.calls
      .map(({ body }) => readAll(body))
      .join('\n')
      .replaceAll('\n', '');
  const lane = ({ headers }: HttpReply): unknown => headers['x-koine-lane'];

  for (const client of wires) {
    const other = client === 'messages' ? 'chat' : 'messages';
    for (const [where, place] of Object.entries(places[client])) {
      it(`redacts an address in ${where} of ${client}, on the native lane`, async () => {
        const reply = await post(client, client, bodyOf(client, client, place(ADDRESS)));
        expect(reply.status, reply.text).to.equal(200);
        expect(lane(reply)).to.equal('native');
        expect(received()).to.not.include(ADDRESS);
        expect(JSON.stringify(scene.upstream.calls[0]?.body)).to.include('[redacted]');
      });

      it(`sends no address in ${where} of ${client} to another wire`, async () => {
        const reply = await post(client, other, bodyOf(client, other, place(ADDRESS)));
        expect(received()).to.not.include(ADDRESS);
        expect(scene.upstream.calls.length === 1 || reply.status === 400, reply.text).to.equal(true);
      });
    }

    for (const [how, texts] of Object.entries(spellings)) {
      for (const target of [client, other] as const) {
        it(`redacts an address ${how}, from ${client} to ${target}`, async () => {
          const reply = await post(client, target, bodyOf(client, target, textParts[client](...texts)));
          expect(reply.status, reply.text).to.equal(200);
          expect(received()).to.include('Write to [redacted]').and.to.include(' now.').and.to.not.include(ADDRESS);
        });
      }
    }

    it(`keeps the other bytes of a ${client} request that is redacted`, async () => {
      const body = bodyOf(client, client, { house_notes: ADDRESS }).replace(
        /\}$/,
        ', "kept" : [1e400, 12345678901234567890] }',
      );
      const reply = await post(client, client, body);
      expect(lane(reply)).to.equal('native');
      expect(scene.upstream.calls[0]?.raw.toString())
        .to.include('"house_notes":"[redacted]"')
        .and.to.include('"kept" : [1e400, 12345678901234567890]');
    });
  }

  it('refuses a body in which an inner member is hidden behind another of the same name', async () => {
    const hidden = `{"role":"user","content":"${ADDRESS}","content":"Hi"}`;
    const body = bodyOf('chat', 'chat', {}).replace(/"messages":\[.*?\]/, `"messages":[${hidden}]`);
    const reply = await post('chat', 'chat', body);
    expect(reply.status).to.equal(400);
    expect(reply.text).to.include('more than once');
    expect(scene.upstream.calls).to.deep.equal([]);
  });

  it('redacts numbers in data of the caller, and keeps ids, roles and settings that only look like a finding', async () => {
    const call = {
      ...chatTool,
      id: 'call_4111111111111111',
      function: { name: 'f', arguments: '{"card":4111111111111111}' },
    };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'paid' },
    ];
    await post('chat', 'chat', bodyOf('chat', 'chat', { messages, seed: 4111111111111111 }));
    const sent = JSON.stringify(scene.upstream.calls[0]?.body);
    expect(sent)
      .to.include(String.raw`{\"card\":0}`)
      .and.to.include('"tool_call_id":"call_4111111111111111"');
    expect(sent).to.include('"seed":4111111111111111');
  });

  it('refuses signed reasoning that it would have to change, and names it', async () => {
    const thinking = { type: 'thinking', thinking: `Mail ${ADDRESS}`, signature: 'U2lnbmVk' };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Hello.' }] },
      { role: 'user', content: 'Go on' },
    ];
    const reply = await post('messages', 'messages', bodyOf('messages', 'messages', { messages }));
    expect(reply.status).to.equal(400);
    expect(reply.text).to.include('messages[1].content[0].thinking').and.to.include('signed');
    expect(scene.upstream.calls).to.deep.equal([]);
  });
});

describe('what the content filter cannot read', () => {
  let scene: Scene;
  before(async () => {
    const rules = [
      { name: 'files', refuseUnreadable: ['media', 'references'], routes: ['/v1/chat/completions', '/v1/messages'] },
      { name: 'sealed', refuseUnreadable: ['encrypted'], routes: ['/v1/responses'] },
    ];
    scene = await startScene({ plugins: [{ use: 'auth' }, { use: 'content-filter', config: { rules } }] });
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABoYQ==' };
  const cases: readonly (readonly [client: Wire, path: string | undefined, more: Json])[] = [
    ['messages', 'messages[0].content[0].source.data', user([image])],
    ['messages', 'messages[2].content[0].content[0].source.data', toolResult([image])],
    [
      'messages',
      'messages[0].content[0].source.url',
      user([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]),
    ],
    ['messages', undefined, user([document('Joe')])],
    [
      'chat',
      'messages[0].content[0].image_url.url',
      user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]),
    ],
    [
      'chat',
      'messages[0].content[0].file.file_data',
      user([{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }]),
    ],
    ['chat', undefined, user('Hi')],
    ['responses', 'input[1].encrypted_content', input(reasoning)],
    [
      'responses',
      undefined,
      input({ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }] }),
    ],
  ];
  for (const [client, path, more] of cases) {
    it(
      path === undefined
        ? `lets ${client} pass where everything can be read, or may be unread`
        : `refuses ${path} of ${client}`,
      async () => {
        scene.upstream.calls.length = 0;
        const body = JSON.stringify({ ...hello[client], ...headOf(client, modelIds[client]), ...more });
        const reply = await send(scene.gateway.url, {
          path: pathOf(client, modelIds[client]),
          body,
          headers: goodHeaders,
        });
        expect(reply.status, reply.text).to.equal(path === undefined ? 200 : 400);
        expect(scene.upstream.calls).to.have.length(path === undefined ? 1 : 0);
        if (path !== undefined) expect(reply.text).to.include(`'${path}'`).and.to.include('cannot read');
      },
    );
  }
});
