import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders, readError, send, type HttpReply } from '../../support/http.ts';
import { CHAT, GOOGLE, MESSAGES, entryOf, everyWire, startScene, type Scene } from '../../support/scene.ts';

const DROP_KEY = 'drop-key-0123456789abcdef0';
const REFUSE_KEY = 'refuse-key-0123456789abcdef';
/** Models that set the policy themselves. */
const DROPPING = 'house/dropping';
const REFUSING = 'house/refusing';

const lookup = { name: 'lookup', description: 'Looks up.', parameters: { type: 'object', properties: {} } };

interface Client {
  readonly path: (model: string) => string;
  readonly body: (more?: Json) => Json;
  /** A request that requires a call of the hosted tool. */
  readonly forced: Json;
  /** The name of the hosted tool. */
  readonly tool: string;
  /** A model over another wire, and that wire. */
  readonly model: string;
  readonly vendor: Wire;
}

const interpreter = { type: 'code_interpreter', container: { type: 'auto' } };
const execution = { type: 'code_execution_20250825', name: 'code_execution' };

/** Each client declares a function and a tool that runs at its own vendor. */
const clients: Readonly<Record<'responses' | 'messages' | 'google', Client>> = {
  responses: {
    path: () => '/v1/responses',
    body: (more) => ({ input: 'Hi', tools: [{ type: 'function', ...lookup }, interpreter], ...more }),
    forced: { tool_choice: { type: 'code_interpreter' } },
    tool: 'code_interpreter',
    model: MESSAGES,
    vendor: 'messages',
  },
  messages: {
    path: () => '/v1/messages',
    body: (more) => ({
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'lookup', description: 'Looks up.', input_schema: lookup.parameters }, execution],
      ...more,
    }),
    forced: { tool_choice: { type: 'tool', name: 'code_execution' } },
    tool: 'code_execution_20250825',
    model: CHAT,
    vendor: 'chat',
  },
  google: {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    body: (more) => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: [lookup] }, { codeExecution: {} }],
      ...more,
    }),
    forced: {
      tools: [{ codeExecution: {} }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    },
    tool: 'codeExecution',
    model: MESSAGES,
    vendor: 'messages',
  },
};

describe('policy for hosted tools', () => {
  let scene: Scene;
  before(async () => {
    const targetsOf = (id: string): Json => entryOf(id) as Json;
    scene = await startScene({
      models: {
        ...Object.fromEntries([CHAT, MESSAGES, GOOGLE].map((id) => [id, entryOf(id)])),
        [DROPPING]: { ...targetsOf(MESSAGES), wires: everyWire, hostedTools: 'drop' },
        [REFUSING]: { ...targetsOf(MESSAGES), wires: everyWire, hostedTools: 'refuse' },
      },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: {
                alice: { key: KEY },
                bob: { key: DROP_KEY, hostedTools: 'drop' },
                carol: { key: REFUSE_KEY, hostedTools: 'refuse' },
              },
            },
          },
        },
      },
      routes: [
        { path: '/v1/responses', wire: 'responses' },
        { path: '/v1/messages', wire: 'messages' },
        { path: '/v1/messages/count_tokens', wire: 'messages', operation: 'count-tokens' },
        { path: '/v1beta/models/{model}:generateContent', wire: 'generate-content' },
        { path: '/drop/responses', wire: 'responses', hostedTools: 'drop' },
        { path: '/refuse/responses', wire: 'responses', hostedTools: 'refuse' },
        { path: '/strict/responses', wire: 'responses', losses: 'reject' },
      ],
      codingAgents: ['codex', 'GeminiCLI', 'claude-cli'],
    });
    scene.upstream.answer = (response, { path }) => {
      const wire: Wire = path.endsWith('/messages') ? 'messages' : path.includes('/chat/') ? 'chat' : 'google';
      response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(wire, 'plain', goodDay));
    };
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const post = (path: string, body: Json, agent = 'curl/8.5.0', key = KEY): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path,
      headers: { ...goodHeaders, 'authorization': `Bearer ${key}`, 'user-agent': agent },
      body: JSON.stringify(body),
    });
  /** A request of the responses wire to a model at Anthropic. */
  const ask = (path: string, agent?: string, key?: string, model = MESSAGES): Promise<HttpReply> =>
    post(path, clients.responses.body({ model }), agent, key);
  const expectDropped = (reply: HttpReply): void => {
    expect(reply.status, reply.text).to.equal(200);
    expect(String(reply.headers['x-koine-losses']).split(', ')).to.include('tools;dropped');
    expect(scene.upstream.calls).to.have.length(1);
    const sent = JSON.stringify(scene.upstream.calls[0]?.body);
    expect(sent).to.include('"lookup"').and.not.include('code_').and.not.include('codeExecution');
  };
  const expectRefused = (reply: HttpReply, param = 'tools'): void => {
    expect(reply.status, reply.text).to.equal(400);
    expect(readError(reply).error).to.include({ code: 'unsupported_parameter', param });
    expect(scene.upstream.calls).to.have.length(0);
  };

  for (const [wire, { path, body, forced, tool, model }] of Object.entries(clients)) {
    it(`drops a hosted tool of a ${wire} request for a key with hostedTools: drop, and names the loss`, async () => {
      expectDropped(await post(path(model), body({ model }), undefined, DROP_KEY));
    });

    it(`refuses a hosted tool of a ${wire} request by default, with its name and the setting`, async () => {
      const reply = await post(path(model), body({ model }));
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include(`'${tool}'`).and.include('hostedTools: drop');
      expect(scene.upstream.calls).to.have.length(0);
    });

    it(`refuses a ${wire} request that requires a call of a dropped tool`, async () => {
      const reply = await post(path(model), body({ model, ...forced }), undefined, DROP_KEY);
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include(`'${tool}'`).and.include('whose call is required');
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  for (const agent of ['codex_exec/0.169.0 (Debian 13; x86_64)', 'Codex-TUI/1', 'x/1 codex/2', 'GeminiCLI/0.61.0/m']) {
    it(`drops hosted tools of the coding agent ${agent}`, async () => expectDropped(await ask('/v1/responses', agent)));
  }
  for (const agent of ['codexical/1.0', 'my-codex/1.0', 'opencode/1.18.33']) {
    it(`refuses hosted tools of ${agent}, which is not in codingAgents`, async () =>
      expectRefused(await ask('/v1/responses', agent)));
  }

  const AGENT = 'codex_cli_rs/0.169.0';
  it('uses the setting of the key before that of the route', async () => {
    expectRefused(await ask('/drop/responses', undefined, REFUSE_KEY));
    expectDropped(await ask('/refuse/responses', undefined, DROP_KEY));
  });

  it('uses the setting of the route before that of the model', async () => {
    expectRefused(await ask('/refuse/responses', undefined, KEY, DROPPING));
    expectDropped(await ask('/drop/responses', undefined, KEY, REFUSING));
  });

  it('uses the setting of the model before that of the user agent', async () => {
    expectRefused(await ask('/v1/responses', AGENT, KEY, REFUSING));
    expectDropped(await ask('/v1/responses', undefined, KEY, DROPPING));
  });

  it('refuses to drop a hosted tool with losses: reject', async () => {
    const reply = await ask('/strict/responses', AGENT);
    expectRefused(reply);
    expect(readError(reply).error.message).to.include("'tools' would be dropped");
  });

  it('counts the tokens of a request without the tools that are dropped', async () => {
    const { body } = clients.messages;
    const { max_tokens: _cap, ...counted } = body({ model: GOOGLE });
    scene.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"totalTokens":7}');
    const reply = await post('/v1/messages/count_tokens', counted, 'claude-cli/2.1.330 (external, cli)');
    expect(reply.text).to.equal('{"input_tokens":7}');
    expect(scene.upstream.calls).to.have.length(1);
  });
});
