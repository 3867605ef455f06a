import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { callOf, wireAt } from '../../support/calls.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { CHAT, entryOf, everyWire, GOOGLE, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

const RESPONSES = 'openai/gpt-4.1-mini';
const LISTED = 'house/listed';
const OPENED = 'opened/model';
/** A tool of each wire at its own vendor, beside a function. */
const named: readonly (readonly [kind: string, wire: Wire, model: string, more: Json])[] = [
  ['web_search', 'messages', MESSAGES, { tools: [{ type: 'web_search_20260318', name: 'web_search' }] }],
  ['web_fetch', 'messages', MESSAGES, { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
  ['code_execution', 'messages', MESSAGES, { tools: [{ type: 'code_execution_20260521', name: 'code_execution' }] }],
  ['code_execution', 'messages', MESSAGES, { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }],
  ['mcp', 'messages', MESSAGES, { mcp_servers: [{ type: 'url', name: 'wiki', url: 'https://mcp.test/' }] }],
  ['mcp', 'messages', MESSAGES, { tools: [{ type: 'mcp_toolset', mcp_server_name: 'wiki' }] }],
  ['tool_search', 'messages', MESSAGES, { tools: [{ type: 'tool_search_tool_bm25_20251119', name: 'find' }] }],
  ['', 'messages', MESSAGES, { tools: [{ type: 'teleport_20270101', name: 'teleport' }] }],
  ['web_search', 'responses', RESPONSES, { tools: [{ type: 'web_search' }] }],
  ['web_search', 'responses', RESPONSES, { tools: [{ type: 'web_search_preview_2025_03_11' }] }],
  ['web_search', 'responses', RESPONSES, { tools: [{ type: 'x_search' }] }],
  ['file_search', 'responses', RESPONSES, { tools: [{ type: 'file_search', vector_store_ids: [] }] }],
  ['code_execution', 'responses', RESPONSES, { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
  ['code_execution', 'responses', RESPONSES, { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
  ['image_generation', 'responses', RESPONSES, { tools: [{ type: 'image_generation' }] }],
  ['mcp', 'responses', RESPONSES, { tools: [{ type: 'mcp', server_label: 'w', server_url: 'https://mcp.test/' }] }],
  ['mcp', 'responses', RESPONSES, { tools: [{ type: 'mcp', server_label: 'c', connector_id: 'connector_gmail' }] }],
  ['', 'responses', RESPONSES, { tools: [{ type: 'teleport' }] }],
  ['web_search', 'chat', CHAT, { web_search_options: { search_context_size: 'low' } }],
  ['web_search', 'chat', CHAT, { tools: [{ type: 'web_search' }] }],
  ['web_search', 'chat', CHAT, { tools: [{ type: 'openrouter:web_search' }] }],
  ['web_search', 'chat', CHAT, { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] }],
  ['web_search', 'chat', CHAT, { search_parameters: { mode: 'auto' } }],
  ['web_search', 'chat', CHAT, { enable_search: true }],
  ['web_search', 'chat', CHAT, { extra_body: { Enable_Search: true } }],
  ['web_search', 'chat', OPENED, { plugins: [{ id: 'web' }] }],
  ['code_execution', 'chat', CHAT, { tools: [{ type: 'code_interpreter' }] }],
  ['', 'chat', CHAT, { tools: [{ type: 'teleport' }] }],
  ['', 'chat', CHAT, { extra_body: { tools: [{ type: 'web_search' }] } }],
  ['', 'chat', OPENED, { plugins: [{ id: 'file-parser' }] }],
  ['web_search', 'google', GOOGLE, { tools: [{ googleSearch: {} }] }],
  ['web_search', 'google', GOOGLE, { tools: [{ google_search: {} }] }],
  ['web_search', 'google', GOOGLE, { tools: { googleSearchRetrieval: {} } }],
  ['web_fetch', 'google', GOOGLE, { tools: [{ urlContext: {} }] }],
  ['code_execution', 'google', GOOGLE, { tools: [{ code_execution: {} }] }],
  ['file_search', 'google', GOOGLE, { tools: [{ fileSearch: {} }] }],
  ['maps', 'google', GOOGLE, { tools: [{ googleMaps: {} }] }],
  ['computer', 'google', GOOGLE, { tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }] }],
  ['mcp', 'google', GOOGLE, { tools: [{ mcpServers: [{ name: 'wiki' }] }] }],
  ['', 'google', GOOGLE, { tools: [{ teleport: {} }] }],
];
/** Tools that the client executes are not hosted. */
const executed: readonly (readonly [wire: Wire, model: string, more: Json])[] = [
  ['messages', MESSAGES, { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
  ['messages', MESSAGES, { tools: [{ name: 'web_search', input_schema: { type: 'object' } }] }],
  ['responses', RESPONSES, { tools: [{ type: 'local_shell' }, { type: 'apply_patch' }] }],
  [
    'chat',
    CHAT,
    { tools: [{ type: 'function', function: { name: 'web_search' } }], search_parameters: { mode: 'off' } },
  ],
  ['google', GOOGLE, { tools: [{ functionDeclarations: [{ name: 'google_search' }] }] }],
];

describe('the list of hosted tools that may run', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  before(async () => {
    upstream = await startUpstream();
    const config = { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` };
    const keys = (settings: Readonly<Record<string, unknown>>): object =>
      Object.fromEntries(
        Object.entries(settings).map(([name, hostedTools]) => [
          name,
          { key: secretOf(name), vendorState: 'allow', ...(hostedTools === undefined ? {} : { hostedTools }) },
        ]),
      );
    const kinds = [...new Set(named.map(([kind]) => kind).filter(Boolean))];
    const all = Object.fromEntries(kinds.map((kind) => [kind, [kind]]));
    const withoutEach = Object.fromEntries(
      kinds.map((kind) => [`no-${kind}`, kinds.filter((other) => other !== kind)]),
    );
    scene = await startScene({
      providers: {
        openai: { use: 'openai', config },
        anthropic: { use: 'anthropic', config: { ...config, baseUrl: upstream.url } },
        google: { use: 'google', config: { ...config, baseUrl: upstream.url } },
        opened: { use: 'openai-compatible', config: { ...config }, acceptMembers: ['plugins'] },
      },
      models: {
        ...Object.fromEntries([CHAT, MESSAGES, GOOGLE].map((id) => [id, entryOf(id)])),
        [RESPONSES]: entryOf(RESPONSES, 'responses'),
        [OPENED]: { wires: everyWire, targets: [{ provider: 'opened', model: 'model' }] },
        [LISTED]: { ...entryOf(MESSAGES), hostedTools: ['web_fetch'] },
      },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: keys({ ...all, ...withoutEach, any: undefined, none: [], drop: { allow: [], otherwise: 'drop' } }),
            },
            lab: { hostedTools: ['web_search', 'mcp'], keys: keys({ lab: undefined, both: ['mcp', 'web_fetch'] }) },
          },
        },
        shop: {
          hostedTools: { allow: ['web_search'], otherwise: 'drop' },
          projects: { web: { keys: keys({ shop: undefined }) } },
        },
      },
      routes: [
        { path: '/v1/messages', wire: 'messages' },
        { path: '/v1/responses', wire: 'responses' },
        { path: '/v1/chat/completions', wire: 'chat-completions' },
        { path: '/v1beta/models/{model}:generateContent', wire: 'generate-content' },
        { path: '/closed/messages', wire: 'messages', hostedTools: [] },
      ],
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
    upstream.answer = (response, { path }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(wireAt(path), 'plain', goodDay));
  });
  after(async () => {
    await scene.stop();
    await upstream.stop();
  });

  const secretOf = (name: string): string => `sk-${name}-0123456789abcdef`;
  const ask = (key: string, wire: Wire, model: string, more: Json, path?: string): Promise<HttpReply> => {
    const call = callOf(wire, model, { more });
    return send(scene.gateway.url, {
      ...call,
      path: path ?? call.path,
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'authorization': `Bearer ${secretOf(key)}`,
      },
    });
  };
  const expectRefused = (reply: HttpReply, ...words: readonly string[]): void => {
    expect(reply.status, reply.text).to.equal(403);
    for (const word of words) expect(reply.text).to.include(word);
    expect(upstream.calls).to.have.length(0);
  };
  const sentOf = async (reply: Promise<HttpReply>): Promise<Json> => {
    const { status, text } = await reply;
    expect(status, text).to.equal(200);
    return upstream.calls.at(-1)?.body ?? {};
  };
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const lookup = { name: 'lookup', input_schema: { type: 'object' } };

  for (const [kind, wire, model, more] of named) {
    const shown = JSON.stringify(more);
    it(`refuses ${shown} of ${wire} to a key that may not use it, and sends nothing`, async () => {
      expectRefused(await ask('none', wire, model, more), 'hostedTools of the key acme/web/none', 'no tool');
      if (kind !== '') expectRefused(await ask(`no-${kind}`, wire, model, more), kind);
    });

    if (kind === '') continue;
    it(`sends ${shown} of ${wire} on as it is for a key whose list has ${kind}`, async () => {
      expect(await sentOf(ask(kind, wire, model, more))).to.deep.include(more);
    });
  }

  it('lets tools of the client through, whatever their names', async () => {
    for (const [wire, model, more] of executed) await sentOf(ask('none', wire, model, more));
  });

  it('refuses a tool that the gateway does not know to every key with a list, and to no other', async () => {
    const tools = { tools: [{ type: 'teleport_20270101', name: 'teleport' }] };
    expectRefused(await ask('web_search', 'messages', MESSAGES, tools), 'teleport_20270101', 'does not know');
    expect(await sentOf(ask('any', 'messages', MESSAGES, tools))).to.deep.include(tools);
  });

  it('finds tools that the conversation adds, and refuses them even where others are dropped', async () => {
    const added = { type: 'additional_tools', tools: [{ type: 'web_search' }] };
    const input = [{ role: 'user', content: 'Hello' }, added];
    expectRefused(await ask('drop', 'responses', RESPONSES, { input }), 'web_search');
    const tool = { type: 'tool_definition', definition: search };
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'tool_addition', tool },
        ],
      },
    ];
    expectRefused(await ask('drop', 'messages', MESSAGES, { messages }), 'web_search_20250305');
  });

  it('applies the lists of key, project, organization, route and model together', async () => {
    const fetch = { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] };
    const servers = { mcp_servers: [{ type: 'url', name: 'wiki', url: 'https://mcp.test/' }] };
    expectRefused(await ask('lab', 'messages', MESSAGES, fetch), 'the project acme/lab', 'web_search, mcp');
    expectRefused(await ask('both', 'messages', MESSAGES, fetch), 'the project acme/lab');
    expectRefused(await ask('both', 'messages', MESSAGES, { tools: [search] }), 'the key acme/lab/both');
    expectRefused(await ask('any', 'messages', LISTED, { tools: [search] }), 'the model');
    expectRefused(await ask('any', 'messages', MESSAGES, { tools: [search] }, '/closed/messages'), 'the route');
    expect(await sentOf(ask('both', 'messages', MESSAGES, servers))).to.deep.include(servers);
    expect(await sentOf(ask('any', 'messages', LISTED, fetch))).to.deep.include(fetch);
  });

  it('drops a tool that is not allowed from the bytes of the client, and names it as a loss', async () => {
    const more = { tools: [search, lookup], mcp_servers: [{ type: 'url', name: 'w', url: 'https://mcp.test/' }] };
    const reply = await ask('drop', 'messages', MESSAGES, { ...more, tool_choice: { type: 'auto' } });
    expect(reply.headers['x-koine-lane']).to.equal('native');
    expect(reply.headers['x-koine-losses']).to.include('tools[0];dropped').and.include('mcp_servers;dropped');
    expect(upstream.calls[0]?.body).to.deep.include({ tools: [lookup], tool_choice: { type: 'auto' } });
    expect(upstream.calls[0]?.body).to.not.have.property('mcp_servers');
  });

  it('drops the settings of tools with the last of them', async () => {
    const more = { tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: false };
    const sent = await sentOf(ask('drop', 'responses', RESPONSES, more));
    expect(sent).to.not.have.any.keys('tools', 'tool_choice', 'parallel_tool_calls');
    const google = { tools: [{ googleSearch: {}, functionDeclarations: [{ name: 'find' }] }, { codeExecution: {} }] };
    expect(await sentOf(ask('drop', 'google', GOOGLE, google))).to.deep.include({
      tools: [{ functionDeclarations: [{ name: 'find' }] }],
    });
  });

  it('refuses a request that selects a tool which is dropped', async () => {
    const choices: readonly Json[] = [
      { tool_choice: { type: 'tool', name: 'web_search' }, tools: [search, lookup] },
      { tool_choice: { type: 'any' }, tools: [search] },
    ];
    for (const more of choices) {
      const { status, text } = await ask('drop', 'messages', MESSAGES, more);
      expect([status, upstream.calls.length], text).to.deep.equal([400, 0]);
      expect(text).to.include('tool_choice').and.include('web_search');
    }
  });

  it('keeps long numbers and everything else of a request whose tools are dropped', async () => {
    const { body } = callOf('messages', MESSAGES, { more: { tools: [search] } });
    const raw = body.replace('{', '{"x_seed":12345678901234567890, ');
    const reply = await send(scene.gateway.url, {
      path: '/v1/messages',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'authorization': `Bearer ${secretOf('drop')}`,
      },
      body: raw,
    });
    expect(reply.status, reply.text).to.equal(200);
    expect(upstream.calls[0]?.raw.toString()).to.include('"x_seed":12345678901234567890, ');
  });

  it('refuses or drops a search before it is carried to another wire', async () => {
    const more = { tools: [{ type: 'web_search' }, { type: 'function', name: 'find', parameters: {} }] };
    expectRefused(await ask('mcp', 'responses', MESSAGES, more), 'web_search');
    const sent = await sentOf(ask('drop', 'responses', MESSAGES, more));
    expect(JSON.stringify(sent['tools'])).to.include('find').and.not.include('web_search');
    expect(JSON.stringify((await sentOf(ask('shop', 'responses', MESSAGES, more)))['tools'])).to.include(
      'web_search_2025',
    );
  });
});
