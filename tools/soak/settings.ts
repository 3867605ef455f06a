import { wireNames, wires, type Wire } from '../../test/matrix/wires.ts';

export const KEY = 'soak-key-0123456789abcdef';
/** The key of a caller that exceeds its limit. */
export const NARROW_KEY = 'soak-key-narrow-0123456789';

/** The provider of each wire, and the wire to which a model falls back. */
const providers: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};
const fallbacks: Readonly<Record<Wire, Wire>> = {
  chat: 'messages',
  messages: 'responses',
  responses: 'google',
  google: 'chat',
};

export const modelOf = (wire: Wire): string => `soak/${wire}`;
const targetOf = (wire: Wire) => ({ provider: providers[wire], model: wire, wire: wireNames[wire] });

/**
 * All plugins that take part in exchanges, and two vendors: a model fails over to another vendor and another wire.
 * @param pause milliseconds between two pieces of a stream; a stall is several times as long
 */
export function soakSettings(first: string, second: string, pause: number) {
  const timeouts = { connect: '5s', firstByte: '5s', idle: `${pause * 6}ms`, total: '60s' };
  return {
    server: { port: 0, drain: { delay: '0s' } },
    admin: { port: 0 },
    store: { database: 'sqlite:./soak.db' },
    providers: {
      openai: { use: 'openai', config: { apiKey: 'soak', baseUrl: `${first}/v1` }, timeouts },
      anthropic: { use: 'anthropic', config: { apiKey: 'soak', baseUrl: second }, timeouts },
      google: { use: 'google', config: { apiKey: 'soak', baseUrl: second }, timeouts },
    },
    models: Object.fromEntries(
      wires.map((wire) => [
        modelOf(wire),
        {
          wires: Object.values(wireNames),
          targets: [targetOf(wire), targetOf(fallbacks[wire])],
          price: { input: 1, output: 2 },
        },
      ]),
    ),
    // With the default cooldown of ten seconds, every 429 would leave the run with one target.
    plugins: [
      { use: 'metrics' },
      { use: 'auth' },
      { use: 'rate-limit' },
      { use: 'cache-accounting' },
      { use: 'ledger' },
      { use: 'failover', config: { cooldown: { rateLimit: '200ms' } } },
    ],
    organizations: {
      soak: {
        limits: [
          { requests: 1e9, per: '1m' },
          { cost: 1e6, per: 'month' },
        ],
        projects: {
          soak: {
            limits: [{ tokens: 1e12, per: '1m' }, { concurrent: 1e6 }],
            keys: { wide: { key: KEY }, narrow: { key: NARROW_KEY, limits: [{ requests: 1, per: '1m' }] } },
          },
        },
      },
    },
  };
}
