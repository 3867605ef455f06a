import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { definePlugin, type Outcome, type Usage } from '../../core/api/index.ts';
import { callOf } from '../support/calls.ts';
import { until } from '../support/until.ts';
import { builtIns } from '../support/gateway.ts';
import { goodHeaders } from '../support/http.ts';
import { CHAT, entryOf, everyWire, GOOGLE, MESSAGES, RESPONSES, startScene, type Scene } from '../support/scene.ts';
import type { UpstreamCall } from '../support/upstream.ts';
import { userTurn } from '../matrix/sample-bodies.ts';
import type { Json, Wire } from '../matrix/wires.ts';
import type { Answer } from './scripted.ts';
import { shownUsage } from './shown-usage.ts';

/** One call with its expected usage and cost. All figures were calculated by hand. */
export interface OracleCase {
  readonly name: string;
  readonly client: Wire | 'interactions';
  /** A name in `models`. */
  readonly model: string;
  /** Replaces the default conversation of the client's wire. */
  readonly call?: { readonly path: string; readonly body: string };
  readonly stream?: boolean;
  readonly request?: Json;
  /** Responses to the calls of the gateway, in order; the last one is repeated. */
  readonly answers: readonly Answer[];
  /** When the client disconnects: while the upstream is silent, or after the first half of the text. */
  readonly leaves?: 'before content' | 'after content';
  /** The canonical figures that are not 0, with their source; undefined: no usage. */
  readonly usage: Partial<Usage> | undefined;
  /** Nano-dollars. */
  readonly nano: bigint | undefined;
  /** The cost of each charge, if there are several. */
  readonly charges?: readonly bigint[];
  /** Members of the usage that the client sees; null: it sees none. */
  readonly shown?: Json | null;
  /** The stored usage object of the vendor. */
  readonly raw?: unknown;
}

/** The prompt is padded to this body size, so that the input is estimated at 100 tokens. */
const BODY_BYTES = 400;

/** USD per million tokens. Nano-dollars per token: 2,000 input, 500 read, 2,500 and 4,000 written, 10,000 output. */
const plain = { input: 2, cacheRead: 0.5, cacheWrite5m: 2.5, cacheWrite1h: 4, output: 10 };
/** Ten times as much as `plain`. */
const dear = { input: 20, cacheRead: 5, cacheWrite5m: 25, cacheWrite1h: 40, output: 100 };
/**
 * All members of a price: 1,000,000 nano-dollars a call; reasoning 20,000; audio 8,000 in and 40,000 out; images
 * 3,000 and 30,000.
 */
const rich = {
  ...plain,
  reasoning: 20,
  inputAudio: 8,
  inputImage: 3,
  outputAudio: 40,
  outputImage: 30,
  request: 0.001,
  longContext: [{ above: 1_000, input: 4, cacheRead: 1, output: 20 }],
  tiers: {
    flex: { input: 1, cacheRead: 0.25, output: 5 },
    priority: { input: 4, cacheRead: 1, output: 20 },
    fast: { input: 12, cacheRead: 3, output: 60 },
  },
};

const vendors: Readonly<Record<Wire, { readonly id: string; readonly wire: Wire }>> = {
  chat: { id: CHAT, wire: 'chat' },
  messages: { id: MESSAGES, wire: 'messages' },
  responses: { id: RESPONSES, wire: 'responses' },
  google: { id: GOOGLE, wire: 'google' },
};
const each = (prefix: string, price: Json | undefined): Json =>
  Object.fromEntries(
    Object.entries(vendors).map(([name, { id, wire }]) => [
      `${prefix}/${name}`,
      { ...entryOf(id, wire), ...(price === undefined ? {} : { price }) },
    ]),
  );
const interactions = (price: Json): Json => ({
  wires: [...everyWire, 'interactions'],
  targets: [{ provider: 'google', model: 'gemini-3.5-flash', wire: 'interactions' }],
  price,
});
const searching = { ...plain, units: { webSearches: 0.01 } };
const twoTargets = {
  wires: ['chat-completions', 'messages'],
  targets: [
    { provider: 'anthropic', model: 'claude-sonnet-4-5', price: plain },
    { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions', price: dear },
  ],
};

/**
 * `plain/chat` uses chat-completions at the plain price; `two/models` falls back from messages to
 * chat-completions at ten times the price.
 */
const models = {
  ...each('plain', plain),
  ...each('rich', rich),
  'two/models': twoTargets,
  'plain/openai-vectors': { targets: [{ provider: 'openai', model: 'text-embedding-3-small' }], price: plain },
  'plain/google-vectors': { targets: [{ provider: 'google', model: 'gemini-embedding-001' }], price: plain },
  'none/chat': { targets: [{ provider: 'openai', model: 'unpriced-model', wire: 'chat-completions' }] },
  'none/responses': { wires: everyWire, targets: [{ provider: 'openai', model: 'unpriced-model', wire: 'responses' }] },
  'none/vectors': { targets: [{ provider: 'openai', model: 'unpriced-vectors', wire: 'embeddings' }] },
  'searching/responses': { ...entryOf(RESPONSES, 'responses'), price: searching },
  'plain/interactions': interactions(plain),
  'rich/interactions': interactions(rich),
  'searching/interactions': interactions(searching),
  'plain/invoke': { targets: [{ provider: 'bedrock', model: 'eu.anthropic.claude-sonnet-4-5-v1:0' }], price: plain },
  'plain/converse': { targets: [{ provider: 'bedrock', model: 'eu.amazon.nova-2-lite-v1:0' }], price: plain },
  'plain/ollama': { targets: [{ provider: 'ollama', model: 'qwen3' }], price: plain },
};

const outcomes: Outcome[] = [];
const outcomeRecorder = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'outcome-recorder',
  schema: { type: 'object' },
  create: () => ({ admit: () => ({ settle: (outcome) => void outcomes.push(outcome) }) }),
});

export const startOracle = (): Promise<Scene> =>
  startScene(
    {
      models,
      plugins: [
        { use: 'metrics' },
        { use: 'auth' },
        { use: 'cache-accounting' },
        { use: 'outcome-recorder' },
        { use: 'failover', config: { retries: 0, sticky: false, circuit: { calls: 1_000, consecutive: 0 } } },
      ],
    },
    { ...builtIns, plugin: { ...builtIns.plugin, 'outcome-recorder': outcomeRecorder } },
    (url) => ({
      bedrock: { use: 'bedrock', config: { region: 'eu-west-1', baseUrl: url, apiKey: 'upstream-secret' } },
      ollama: { use: 'ollama', config: { baseUrl: url } },
    }),
  );

const turns: Readonly<Record<Wire, string>> = {
  chat: 'messages',
  messages: 'messages',
  responses: 'input',
  google: 'contents',
};

/** The call of a case, as long as it must be. */
export const write = ({
  client,
  model,
  stream = false,
  request = {},
  call,
}: OracleCase): { readonly path: string; readonly body: string } => {
  if (call !== undefined) return call;
  const of = (text: string) => {
    if (client === 'interactions')
      return {
        path: '/v1beta/interactions',
        body: JSON.stringify({ model, input: text, ...(stream ? { stream } : {}), ...request }),
      };
    return callOf(client, model, { stream, more: { [turns[client]]: [userTurn[client](text)], ...request } });
  };
  return of('x'.repeat(BODY_BYTES - of('').body.length));
};

/** Sends the call. Resolves with the text that the client received when the response ended or it disconnected. */
const converse = (scene: Scene, oracle: OracleCase): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const { path, body } = write(oracle);
    const request = requestHttp(scene.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    const over = (): void => resolve(text);
    request.on('error', over).on('response', (response) => {
      response
        .on('error', over)
        .on('end', over)
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
          if (oracle.leaves === 'after content' && text.includes('Good')) request.destroy();
        });
      response.on('close', over);
    });
    if (oracle.leaves === 'before content')
      void until('the upstream is called', () => scene.upstream.calls.length > 0).then(() => request.destroy());
    request.end(body);
  });

const none = { inputUncached: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/** Runs a case and compares usage and cost with the expected figures. */
export const consult = async (scene: Scene, oracle: OracleCase): Promise<Outcome> => {
  const { answers, client, stream = false, usage, nano, charges, shown } = oracle;
  outcomes.splice(0);
  scene.upstream.calls.splice(0);
  let call = 0;
  scene.upstream.answer = (response, received: UpstreamCall) =>
    answers[Math.min(call++, answers.length - 1)]?.(response, received);
  const text = await converse(scene, oracle);
  await until('the exchange is settled', () => outcomes.length === 1);
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('nothing was settled');

  const { raw, ...figures } = outcome.usage ?? { raw: undefined };
  expect(outcome.usage === undefined ? undefined : figures, text).to.deep.equal(
    usage === undefined ? undefined : { ...none, source: 'provider', ...usage },
  );
  expect(outcome.cost, 'cost').to.equal(nano);
  if (charges !== undefined) expect(outcome.charges.map(({ cost }) => cost)).to.deep.equal(charges);
  if ('raw' in oracle) expect(raw).to.deep.equal(oracle.raw);
  if (shown === null) expect(shownUsage(client, text, stream), text).to.equal(undefined);
  else if (shown !== undefined) expect(shownUsage(client, text, stream), text).to.deep.include(shown);
  return outcome;
};
