import { expect } from 'chai';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { readError, send } from '../../support/http.ts';
import { GOOGLE, MESSAGES, entryOf, startScene, type Scene } from '../../support/scene.ts';
import { searchClients } from './search-clients.ts';
import { QUERY, searchAnswer, URL_FOUND, type SearchingWire } from './search-vendors.ts';

/** OpenAI's wire is not pinned: the provider chooses the one that has the search. */
const OPENAI = 'openai/gpt-4.1-mini';
const targets: Readonly<Record<SearchingWire, string>> = { messages: MESSAGES, responses: OPENAI, google: GOOGLE };

const place = { country: 'DE', city: 'Berlin', region: 'Berlin', timezone: 'Europe/Berlin' };
const domains = ['weather.example'];
/** One search costs a cent, and nothing else costs anything. */
const price = { input: 0, output: 0, units: { webSearches: 0.01 } };

/** The settings that the tool of each client has. */
const settings: Readonly<Record<Wire, Json>> = {
  messages: { allowed_domains: domains, max_uses: 3, user_location: { type: 'approximate', ...place } },
  responses: { filters: { allowed_domains: domains }, user_location: { type: 'approximate', ...place } },
  chat: { user_location: { type: 'approximate', approximate: place } },
  google: {},
};
/** What the vendor gets of them. */
const received: Readonly<Record<SearchingWire, (client: Wire) => Json>> = {
  messages: (client) => ({
    type: 'web_search_20250305',
    name: 'web_search',
    ...(client === 'responses' ? { allowed_domains: domains } : {}),
    ...(client === 'google' ? {} : { user_location: { type: 'approximate', ...place } }),
  }),
  responses: (client) => ({
    type: 'web_search',
    ...(client === 'messages' ? { filters: { allowed_domains: domains } } : {}),
    ...(client === 'google' ? {} : { user_location: { type: 'approximate', ...place } }),
  }),
  google: () => ({ googleSearch: {} }),
};
const isNative = (client: Wire, target: SearchingWire): boolean => client === target;

describe('web search', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({
      models: {
        ...Object.fromEntries(Object.values(targets).map((id) => [id, { ...entryOf(id), price }])),
        'openai/gpt-4.1-nano': entryOf('openai/gpt-4.1-nano'),
      },
    });
    scene.upstream.answer = (response, { path, body }) => {
      const wire = path.endsWith('/messages') ? 'messages' : path.endsWith('/responses') ? 'responses' : 'google';
      const streamed = body['stream'] === true || path.includes('streamGenerateContent');
      response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(searchAnswer(wire, streamed));
    };
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  for (const client of wires) {
    for (const [target, model] of Object.entries(targets) as readonly (readonly [SearchingWire, string])[]) {
      // A client of chat completions keeps its wire at OpenAI, where the vendor decides.
      if (isNative(client, target) || (client === 'chat' && target === 'responses')) continue;
      for (const streamed of [false, true]) {
        it(`of a ${client} client is made over ${target}${streamed ? ', streamed' : ''}: queries, sources, citations`, async () => {
          const settled = scene.gateway.exchanges().length;
          const seen = await searchClients[client].ask(scene.gateway.url, model, streamed, settings[client]);
          const [call] = scene.upstream.calls;
          expect(call?.body['tools']).to.deep.equal([received[target](client)]);
          if (target === 'responses') expect(call?.body['include']).to.include('web_search_call.action.sources');
          expect(seen.text).to.equal('It rains.');
          expect(seen.cited).to.deep.equal([URL_FOUND]);
          if (client !== 'chat') {
            expect(seen.queries).to.deep.equal([QUERY]);
            // Anthropic sends the results after the search; an item of responses is finished by then.
            if (client !== 'responses' || target === 'google') expect(seen.found).to.deep.equal([URL_FOUND]);
          }
          await scene.gateway.settled(settled + 1);
          expect(scene.gateway.exchanges().at(-1)).to.deep.include({ cost_micro: 10_000 });
        });
      }
    }
  }

  const post = (path: string, body: Json) => send(scene.gateway.url, { path, body: JSON.stringify(body) });
  const messages = [{ role: 'user', content: 'Hi' }];
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const lookup = { name: 'lookup', input_schema: { type: 'object', properties: {} } };

  it('is required at OpenAI if the client requires it', async () => {
    const forced = { messages, max_tokens: 10, tools: [search], tool_choice: { type: 'tool', name: 'web_search' } };
    expect((await post('/v1/messages', { model: OPENAI, ...forced })).status).to.equal(200);
    await post('/v1/messages', { model: OPENAI, ...forced, tools: [search, lookup] });
    expect(scene.upstream.calls.map(({ body }) => body['tool_choice'])).to.deep.equal([
      'required',
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
    ]);
  });

  for (const [title, model, tools] of [
    ['a model without it', 'openai/gpt-4.1-nano', [search]],
    ['Google together with functions', GOOGLE, [search, lookup]],
  ] as const) {
    it(`is refused for ${title}`, async () => {
      const reply = await post('/v1/messages', { model, max_tokens: 10, messages, tools });
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include("'web_search_20250305'");
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  it('of cached pages only is not made elsewhere, because other vendors would access the web', async () => {
    const tools = [{ type: 'web_search', external_web_access: false }];
    const reply = await post('/v1/responses', { model: MESSAGES, input: 'Hi', tools });
    expect(reply.status).to.equal(400);
    expect(readError(reply).error).to.include({ code: 'unsupported_parameter', param: 'tools' });
  });

  it('names settings that the vendor does not have', async () => {
    const tools = [{ ...search, blocked_domains: ['a.example'] }];
    const reply = await post('/v1/messages', { model: OPENAI, max_tokens: 10, messages, tools });
    expect(reply.headers['x-koine-losses']).to.match(/tools\S*;approximated/);
    const google = await post('/v1/responses', {
      model: GOOGLE,
      input: 'Hi',
      tools: [{ type: 'web_search', search_context_size: 'low', return_token_budget: 5 }],
    });
    expect(google.headers['x-koine-losses']).to.match(/tools\S*;approximated/);
  });

  it('of another vendor is not sent back to Anthropic, whose vendor would refuse it', async () => {
    const first = await post('/v1/messages', { model: OPENAI, max_tokens: 10, messages, tools: [search] });
    const { content } = JSON.parse(first.text) as { content: unknown };
    scene.upstream.calls.length = 0;
    const history = [...messages, { role: 'assistant', content }, ...messages];
    await post('/v1/messages', { model: MESSAGES, max_tokens: 10, messages: history, tools: [search] });
    expect(JSON.stringify(scene.upstream.calls[0]?.body['messages']))
      .to.include('It rains.')
      .and.not.include('server_tool_use')
      .and.not.include('web_search_tool_result');
  });
});
