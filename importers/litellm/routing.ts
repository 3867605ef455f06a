import type { JsonObject } from '../../core/api/index.ts';
import { writeSeconds } from '../shared/durations.ts';
import type { Note } from '../shared/notes.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';
import type { Setting } from './setting.ts';

const exactly: Readonly<Record<string, string>> = {
  'simple-shuffle': 'weighted',
  'latency-based-routing': 'least-latency',
};
const nearly: Readonly<Record<string, string>> = {
  'least-busy': 'weighted',
  'usage-based-routing': 'weighted',
  'usage-based-routing-v2': 'weighted',
  'cost-based-routing': 'order',
};

/** The routing of models that do not set one. */
export function readRouting(setting: Setting, note: Note): string {
  const [at, value] = setting('routing_strategy') ?? [[], 'simple-shuffle'];
  const strategy = textOf(value) ?? '';
  const routing = Object.hasOwn(exactly, strategy) ? exactly[strategy] : undefined;
  if (routing !== undefined) return routing;
  const near = (Object.hasOwn(nearly, strategy) ? nearly[strategy] : undefined) ?? 'weighted';
  note(
    at,
    `There is no routing "${strategy}" here. It is imported as routing: ${near} (docs/operate/failover.md). ` +
      `${near === 'order' ? 'List the cheapest target first' : 'Give higher weights to targets with more capacity'}.`,
    ['plugins'],
  );
  return near;
}

/** The largest number of retries on the same target. */
const MAX_RETRIES = 5;

const readRetries = (setting: Setting, note: Note): JsonObject => {
  const [at, value] = setting('num_retries') ?? [[], undefined];
  const retries = numberOf(value);
  if (retries === undefined || retries < 0) return {};
  if (retries > MAX_RETRIES)
    note(
      at,
      `retries is limited to ${MAX_RETRIES}: ` +
        'it counts retries on the same target, and other targets are tried as well.',
      ['plugins'],
    );
  return { retries: Math.min(Math.round(retries), MAX_RETRIES) };
};

/** The default of `circuit.longest` in seconds. */
const DEFAULT_LONGEST = 300;

const readCooldown = (setting: Setting, note: Note): JsonObject => {
  const [failsAt, fails] = setting('allowed_fails') ?? [[], undefined];
  const allowed = numberOf(fails);
  const seconds = numberOf(setting('cooldown_time')?.[1]);
  if (allowed !== undefined)
    note(
      failsAt,
      'Here a circuit breaker counts failures: ' +
        'it opens when half of this many calls within a minute have failed (docs/operate/failover.md).',
      ['plugins'],
    );
  const open =
    seconds === undefined || seconds <= 0
      ? {}
      : { open: writeSeconds(seconds), ...(seconds > DEFAULT_LONGEST ? { longest: writeSeconds(seconds) } : {}) };
  const circuit = {
    ...(allowed === undefined ? {} : { window: '60s', calls: Math.max(1, Math.round(allowed) + 1) }),
    ...open,
  };
  return {
    ...(seconds === undefined || seconds <= 0 ? {} : { cooldown: { rateLimit: writeSeconds(seconds) } }),
    ...(Object.keys(circuit).length === 0 ? {} : { circuit }),
  };
};

/** The `config` of the plugin `failover`, without `models`. */
export const readFailover = (setting: Setting, routing: string, note: Note): JsonObject => ({
  ...readRetries(setting, note),
  ...readCooldown(setting, note),
  ...(routing === 'order' ? {} : { routing }),
});

/** The default of `timeouts.total` in seconds. A longer call needs a longer `total`. */
const DEFAULT_TOTAL = 1800;

/** The timeouts of every provider. */
export function readProviderTimeouts(setting: Setting): JsonObject {
  const seconds = numberOf((setting('timeout') ?? setting('request_timeout'))?.[1]);
  const stream = numberOf(setting('stream_timeout')?.[1]);
  const timeouts = {
    ...(seconds === undefined || seconds <= 0 ? {} : { firstByte: writeSeconds(seconds) }),
    ...(stream === undefined || stream <= 0 ? {} : { firstContent: writeSeconds(stream) }),
    ...(seconds !== undefined && seconds > DEFAULT_TOTAL ? { total: writeSeconds(seconds) } : {}),
  };
  return Object.keys(timeouts).length === 0 ? {} : { timeouts };
}

const redisNames = ['redis_url', 'redis_host', 'redis_port', 'redis_password', 'redis_db'] as const;

/** The settings of `router_settings` and `litellm_settings` that are imported here and in `readFallbacks`. */
export const routingCarried: readonly string[] = [
  'fallbacks',
  'default_fallbacks',
  'routing_strategy',
  'num_retries',
  'allowed_fails',
  'cooldown_time',
  'timeout',
  'request_timeout',
  'stream_timeout',
  'model_group_alias',
  ...redisNames,
];

/** Whether the URL is valid, with plausible values for its variables. */
const isUrl = (url: string): boolean => /^rediss?:\/\//i.test(url) && URL.canParse(url.replaceAll(/\$\{[^}]*\}/g, '1'));

interface Writers {
  value(value: unknown, placeholder: string): string | undefined;
  secret(value: unknown, name: string): string | undefined;
  note(name: string, text: string): void;
}

/** Builds `store.redis` from the settings in `router_settings`. */
export function readRedis(settings: JsonObject, { value, secret, note }: Writers): string | undefined {
  const url = textOf(settings['redis_url']);
  if (url !== undefined)
    return url.startsWith('os.environ/') ? value(url, 'redis://stand-in:6379') : secret(url, 'REDIS_URL');
  const host = value(settings['redis_host'], 'stand-in');
  if (host === undefined) return undefined;
  const password = secret(settings['redis_password'], 'REDIS_PASSWORD');
  const database = countOf(settings['redis_db']);
  const port = value(settings['redis_port'], '6379') ?? '6379';
  const login = password === undefined ? '' : `:${password}@`;
  const path = database === undefined ? '' : `/${database}`;
  const written = `redis://${login}${host}:${port}${path}`;
  if (isUrl(written)) return written;
  note(
    'redis_host',
    'redis_host and redis_port are not a valid address. Set store.redis to one such as redis://cache.internal:6379.',
  );
  return undefined;
}
