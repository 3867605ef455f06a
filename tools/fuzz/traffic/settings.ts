import { KEY } from '../../../test/support/gateway.ts';
import { embedModelOf, modelOf } from './requests.ts';
import { fuzzWires, wireNameOf, type FuzzWire } from './wires.ts';

/** What is random: the requests of clients, or the responses of upstreams. */
export type Direction = 'requests' | 'answers';

const uses: Readonly<Record<FuzzWire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
  interactions: 'google',
};
const every = [...fuzzWires.map(wireNameOf), 'tokenize', 'embeddings', 'embed-content'];
/** Short timeouts for upstreams that can hang. */
const timeouts = { answers: { firstByte: '2s', firstContent: '3s', idle: '2s', total: '8s' }, requests: {} } as const;

const providerAt = (url: string, lane: number, wire: FuzzWire, direction: Direction): object => ({
  use: uses[wire],
  config: { apiKey: 'upstream-secret', baseUrl: `${url}/${lane}${uses[wire] === 'openai' ? '/v1' : ''}` },
  timeouts: timeouts[direction],
});
const nameOf = (id: string): { readonly provider: string; readonly model: string } => ({
  provider: id.slice(0, id.indexOf('/')),
  model: id.slice(id.indexOf('/') + 1),
});

export interface FuzzSettings {
  /** URL of the upstream. */
  readonly url: string;
  readonly lanes: number;
  readonly direction: Direction;
  /** The path of an additional plugin. */
  readonly plugin?: string;
}

/**
 * A gateway with all governing plugins, and its own providers for each lane. There are no retries: every upstream
 * response is read.
 */
export function settingsFor({ url, lanes, direction, plugin }: FuzzSettings): object {
  const numbers = Array.from({ length: lanes }, (_, lane) => lane);
  return {
    server: { port: 0 },
    admin: { port: 0 },
    store: { database: 'sqlite:./koine.db' },
    providers: Object.fromEntries(
      numbers.flatMap((lane) =>
        fuzzWires.map((wire) => [`lane${lane}-${wire}`, providerAt(url, lane, wire, direction)]),
      ),
    ),
    models: Object.fromEntries(
      numbers.flatMap((lane) => [
        ...fuzzWires.map((wire) => [
          modelOf(lane, wire),
          { wires: every, targets: [{ ...nameOf(modelOf(lane, wire)), wire: wireNameOf(wire) }] },
        ]),
        ...(['chat', 'google'] as const).map((wire) => [
          embedModelOf(lane, wire),
          { wires: every, targets: [nameOf(embedModelOf(lane, wire))] },
        ]),
      ]),
    ),
    organizations: {
      acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 1_000_000, per: '1m' }] } } } } },
    },
    plugins: [
      { use: 'metrics' },
      { use: 'auth' },
      { use: 'rate-limit' },
      { use: 'cache-accounting' },
      { use: 'ledger' },
      ...(plugin === undefined ? [] : [{ use: plugin }]),
    ],
  };
}
