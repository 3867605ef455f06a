import type { ServerResponse } from 'node:http';
import { wires, type Wire } from '../matrix/wires.ts';
import { greet, wireAt } from './calls.ts';
import { entryOf, modelIds, sceneModels, startScene, type Scene } from './scene.ts';
import type { TestUpstream } from './upstream.ts';

type Answer = TestUpstream['answer'];

const targetOf = (wire: Wire): object =>
  (entryOf(modelIds[wire], wire) as { readonly targets: readonly object[] }).targets[0] ?? {};

/** A model that is first sought over one wire, and then over others. */
export const modelOver = (...order: readonly Wire[]): string => `house/${order.join('-')}`;
const modelEntry = (order: readonly Wire[]): object => ({
  wires: Object.values(everyWire),
  targets: order.map(targetOf),
});
const everyWire: Readonly<Record<Wire, string>> = {
  chat: 'chat-completions',
  messages: 'messages',
  responses: 'responses',
  google: 'generate-content',
};

/** Every ordered pair of two wires. */
export const overTwo: readonly (readonly [first: Wire, second: Wire])[] = wires.flatMap((first) =>
  wires.filter((second) => second !== first).map((second) => [first, second] as const),
);

/** Nothing rests or waits for longer than a test should last, and no circuit opens: what a test is about, it sets. */
export const quick = {
  retries: 0,
  backoff: { base: '1ms', cap: '2ms' },
  cooldown: { rateLimit: '0ms', quota: '0ms' },
  circuit: { calls: 1_000_000, consecutive: 0 },
};

export const pluginsWith = (config: object): readonly object[] => [
  { use: 'metrics' },
  { use: 'auth' },
  { use: 'failover', config: { ...quick, ...config } },
];

/** The scene with `failover` in it, and a model for every order of two wires. */
export const startFailover = (config: object = {}, settings: Readonly<Record<string, unknown>> = {}): Promise<Scene> =>
  startScene({
    models: { ...sceneModels, ...Object.fromEntries(overTwo.map((order) => [modelOver(...order), modelEntry(order)])) },
    plugins: pluginsWith(config),
    ...settings,
  });

/** The vendor of one wire does what a test wants; the others answer well. */
export const failAt =
  (wire: Wire, fail: (response: ServerResponse) => void): Answer =>
  (response, call) =>
    wireAt(call.path) === wire ? fail(response) : greet(response, call);

export const refuse =
  (status: number, body: unknown = { error: { message: 'No.' } }, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** The attempts in the access log, in short. */
export const trailOf = (line: Readonly<Record<string, unknown>> | undefined): readonly string[] =>
  (
    (line?.['attempts'] ?? []) as readonly { provider: string; model: string; credential: string; failure?: string }[]
  ).map(({ provider, model, credential, failure }) => `${provider}/${model} ${credential} ${failure ?? 'ok'}`);
