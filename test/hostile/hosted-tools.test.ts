import { expect } from 'chai';
import { answerJson } from '../support/upstream.ts';
import { callOf, wireAt } from '../support/calls.ts';
import { send, type HttpReply } from '../support/http.ts';
import { entryOf, everyWire, startScene, type Scene } from '../support/scene.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { textOf } from '../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../matrix/wires.ts';

const AT_ONCE = 150;
const LIMIT_USD = 0.05;
const SONNET = 'anthropic/claude-sonnet-5';
const OPUS = 'anthropic/claude-opus-4-8';
const GPT = 'openai/gpt-5';
const IMAGE = 'openai/gpt-image-2';
const GEMINI = 'google/gemini-2.5-flash';

const search = (more: Json = {}): Json => ({ type: 'web_search_20250305', name: 'web_search', ...more });
const advisor = (more: Json = {}): Json => ({
  type: 'advisor_20260301',
  name: 'advisor',
  model: 'claude-opus-4-8',
  ...more,
});
const usageOf = (usage: Json): Json => ({ ...(JSON.parse(textOf('messages', 'plain', goodDay)) as Json), usage });
const own = { input_tokens: 10, output_tokens: 5 };

describe('hosted tools under a limit of cost', () => {
  let scene: Scene;
  before(async () => {
    const priced = (id: string, price: object): object => ({ ...entryOf(id), price });
    const limits = [{ cost: LIMIT_USD, per: 'day' }];
    const key = (name: string, settings: object = {}): object => ({
      [name]: { key: secretOf(name), costHeaders: 'on', limits, ...settings },
    });
    scene = await startScene({
      models: {
        [SONNET]: entryOf(SONNET),
        [OPUS]: entryOf(OPUS),
        [GPT]: entryOf(GPT, 'responses'),
        [GEMINI]: entryOf(GEMINI),
        'house/images': { ...priced(IMAGE, { input: 1, output: 10, outputImage: 2 }), wires: ['responses'] },
        'house/priceless': { ...priced('openai/gpt-4.1', { input: 1, output: 2 }), wires: everyWire },
        'house/open': {
          ...priced('openai/gpt-4.1', { input: 1, output: 2 }),
          wires: everyWire,
          unpricedTools: ['web_search'],
        },
      },
      aliases: { wise: OPUS },
      organizations: {
        acme: {
          projects: {
            web: {
              keys: Object.assign(
                {},
                ...['search', 'adviser', 'images', 'gemini', 'unpriced', 'open'].map((name) => key(name)),
                key('narrow', { models: [SONNET], limits: [] }),
                key('agent', { models: [SONNET, GPT] }),
                key('searches', { limits: [{ cost: 0.3, per: 'day' }] }),
                key('free', { limits: [] }),
                key('rich', { limits: [{ cost: 100, per: 'day' }] }),
                key('shadow', { limits: [{ cost: 1, per: 'day', enforce: false }] }),
              ) as Json,
            },
          },
        },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
    });
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response, { path }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf(wireAt(path), 'plain', goodDay));
  });
  after(() => scene.stop());

  const secretOf = (name: string): string => `sk-${name}-0123456789abcdef`;
  const ask = (name: string, wire: Wire, model: string, more: Json, agent = 'curl/8.5.0'): Promise<HttpReply> =>
    send(scene.gateway.url, {
      ...callOf(wire, model, { more }),
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'authorization': `Bearer ${secretOf(name)}`,
        'user-agent': agent,
      },
    });

  /** Starts all requests before the upstream responds to the first. */
  const attack = async (
    name: string,
    wire: Wire,
    model: string,
    more: Json,
    answer: Json,
  ): Promise<readonly HttpReply[]> => {
    const held: (() => void)[] = [];
    let settled = 0;
    /** A refusal or a request at the upstream can be the last, so both call this. */
    const releaseWhenAllArrived = (): void => {
      if (settled + held.length === AT_ONCE) for (const respond of held) respond();
    };
    scene.upstream.answer = (response) => {
      held.push(() => answerJson(response, answer));
      releaseWhenAllArrived();
    };
    const replies = Array.from({ length: AT_ONCE }, () =>
      ask(name, wire, model, more).finally(() => {
        settled += 1;
        releaseWhenAllArrived();
      }),
    );
    return Promise.all(replies);
  };
  const admitted = (replies: readonly HttpReply[]): number => replies.filter(({ status }) => status === 200).length;

  const costOf = (replies: readonly HttpReply[]): number =>
    replies.reduce((sum, { headers }) => sum + Number(headers['x-koine-cost'] ?? 0), 0);
  /** All that were admitted had an answer, all others a 429, and what was charged is within the limit. */
  const expectWithin = (replies: readonly HttpReply[], most: number, limit = LIMIT_USD): void => {
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200, 429]));
    expect(admitted(replies)).to.be.within(1, most);
    expect(costOf(replies)).to.be.above(0).and.at.most(limit);
  };
  const expectRefused = async (
    reply: Promise<HttpReply>,
    status: number,
    ...words: readonly string[]
  ): Promise<void> => {
    const { status: got, text } = await reply;
    expect(got, text).to.equal(status);
    for (const word of words) expect(text).to.include(word);
    expect(scene.upstream.calls).to.have.length(0);
  };

  it('refuses searches of which one request could cost more than the limit, and names the cap', async () => {
    const answer = usageOf({ ...own, server_tool_use: { web_search_requests: 50, web_fetch_requests: 0 } });
    const replies = await attack('search', 'messages', SONNET, { tools: [search({ max_uses: 50 })] }, answer);
    expect(replies.map(({ status }) => status)).to.deep.equal(Array.from({ length: AT_ONCE }, () => 400));
    expect(replies[0]?.text).to.include('50 of web_search').and.include('max_uses');
  });

  it('admits no more searches at once than the limit pays for', async () => {
    const answer = usageOf({ ...own, server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } });
    const replies = await attack('searches', 'messages', SONNET, { tools: [search({ max_uses: 2 })] }, answer);
    // Two searches cost USD 0.02, and reading their results an estimated 0.032.
    expectWithin(replies, 5, 0.3);
  });

  it('admits no more calls of an adviser at once than the limit pays for, at the price of its model', async () => {
    const advice = { type: 'advisor_message', model: 'claude-opus-4-8', input_tokens: 20, output_tokens: 1_024 };
    const answer = usageOf({ ...own, iterations: [{ type: 'message', ...own }, advice] });
    const tools = [advisor({ max_uses: 1, max_tokens: 1_024 })];
    const replies = await attack('adviser', 'messages', SONNET, { tools }, answer);
    expectWithin(replies, 1);
    expect(costOf(replies)).to.be.above(0.025);
  });

  it('admits no more generated images at once than the limit pays for, and charges the price of the image model', async () => {
    const tools = [{ type: 'image_generation' }];
    const answer = {
      ...(JSON.parse(textOf('responses', 'plain', goodDay)) as Json),
      tools,
      tool_usage: {
        image_gen: { input_tokens: 50, output_tokens: 6_000, output_tokens_details: { image_tokens: 6_000 } },
      },
    };
    const replies = await attack('images', 'responses', GPT, { tools, max_tool_calls: 1 }, answer);
    expectWithin(replies, 3);
    expect(costOf(replies)).to.be.at.least(0.012);
  });

  it('refuses a tool without a price, and names it and the settings', async () => {
    const priceless = 'house/priceless';
    await expectRefused(
      ask('unpriced', 'messages', SONNET, { tools: [{ type: 'code_execution_20260120', name: 'code_execution' }] }),
      400,
      'code_execution_20260120',
      'unpricedTools',
    );
    await expectRefused(
      ask('unpriced', 'chat', priceless, { web_search_options: {} }),
      400,
      'web_search_options',
      'units.webSearches',
    );
    await expectRefused(
      ask('unpriced', 'google', GEMINI, { tools: [{ googleMaps: {} }] }),
      400,
      'googleMaps',
      'unpricedTools',
    );
    await expectRefused(
      ask('unpriced', 'responses', GPT, { tools: [{ type: 'image_generation', model: 'gpt-image-1' }] }),
      400,
      'gpt-image-1',
    );
    expect((await ask('open', 'chat', 'house/open', { web_search_options: {} })).status).to.equal(200);
    expect((await ask('free', 'chat', priceless, { web_search_options: {} })).status).to.equal(200);
    expect((await ask('shadow', 'chat', priceless, { web_search_options: {} })).status).to.equal(200);
  });

  it('refuses an adviser whose model the key may not use, under each of its names', async () => {
    for (const model of ['claude-opus-4-8', OPUS, 'wise', 'claude-fable-5', 'openai/gpt-5'])
      await expectRefused(ask('narrow', 'messages', SONNET, { tools: [advisor({ model })] }), 404, model);
    await expectRefused(
      ask('free', 'messages', SONNET, { tools: [advisor({ model: 'claude-fable-5' })] }),
      404,
      'claude-fable-5',
    );
  });

  it('sends the name that the vendor has for the model of an adviser', async () => {
    for (const model of ['claude-opus-4-8', OPUS, 'wise'])
      expect((await ask('free', 'messages', SONNET, { tools: [advisor({ model })] })).status).to.equal(200);
    expect(scene.upstream.calls.map(({ body }) => body['tools'])).to.deep.equal([
      [advisor()],
      [advisor()],
      [advisor()],
    ]);
  });

  it('caps the uses of a tool whose request does not, in the member of the vendor, and names the change', async () => {
    const searched = await ask('rich', 'messages', SONNET, { tools: [search()] });
    expect(searched.headers['x-koine-losses']).to.include('tools[0].max_uses;injected');
    await ask('rich', 'messages', SONNET, { tools: [search({ max_uses: 3 }), advisor({ max_uses: null })] });
    const drawn = await ask('rich', 'responses', GPT, { tools: [{ type: 'web_search' }] });
    expect(drawn.headers['x-koine-losses']).to.include('max_tool_calls;injected');
    const [first, second, third] = scene.upstream.calls.map(({ body }) => body);
    expect(first?.['tools']).to.deep.equal([search({ max_uses: 5 })]);
    expect(second?.['tools']).to.deep.equal([search({ max_uses: 3 }), advisor({ max_uses: 5 })]);
    expect(third?.['max_tool_calls']).to.equal(5);
  });

  it('caps searches that are carried to another wire', async () => {
    await ask('rich', 'responses', SONNET, { tools: [{ type: 'web_search' }] });
    await ask('rich', 'responses', SONNET, { tools: [{ type: 'web_search' }], max_tool_calls: 2 });
    await ask('rich', 'google', SONNET, { tools: [{ googleSearch: {} }] });
    await ask('rich', 'messages', GPT, { tools: [search({ max_uses: 4 })] });
    const caps = scene.upstream.calls.map(
      ({ body }) => (body['tools'] as Json[])[0]?.['max_uses'] ?? body['max_tool_calls'],
    );
    expect(caps).to.deep.equal([5, 2, 5, 4]);
  });

  it('changes nothing in a request without a limit of cost, or with one that does not refuse', async () => {
    for (const name of ['free', 'shadow']) {
      const { headers } = await ask(name, 'messages', SONNET, { tools: [search()] });
      expect(headers['x-koine-losses']).to.equal(undefined);
    }
    for (const { body } of scene.upstream.calls) expect(body['tools']).to.deep.equal([search()]);
  });

  it('leaves a tool without a price out for a coding agent, which goes on without it', async () => {
    const tools = [{ type: 'image_generation' }, { type: 'function', name: 'shell', parameters: {} }];
    const reply = await ask('agent', 'responses', GPT, { tools, tool_choice: 'auto' }, 'codex_exec/0.169.0');
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['x-koine-losses']).to.include('tools[0];dropped');
    expect(scene.upstream.calls[0]?.body).to.deep.include({ tools: tools.slice(1), tool_choice: 'auto' });
  });
});
