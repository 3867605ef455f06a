import type { JsonObject } from '../../core/index.ts';
import { writeSeconds } from './models.ts';
import type { Note } from './notes.ts';
import { countOf, numberOf, textOf } from './read.ts';
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

/** Which target comes first, where a model says nothing. */
export function readRouting(setting: Setting, note: Note): string {
  const [at, value] = setting('routing_strategy') ?? [[], 'simple-shuffle'];
  const strategy = textOf(value) ?? '';
  const routing = Object.hasOwn(exactly, strategy) ? exactly[strategy] : undefined;
  if (routing !== undefined) return routing;
  const near = (Object.hasOwn(nearly, strategy) ? nearly[strategy] : undefined) ?? 'weighted';
  note(
    at,
    `There is no routing "${strategy}" here. routing: ${near} is written (docs/failover.md); ${near === 'order' ? 'list the cheapest target first' : 'give weights to the targets that can take more'}.`,
    ['plugins'],
  );
  return near;
}

/** Tries of the same target. */
const MOST_RETRIES = 5;

const readRetries = (setting: Setting, note: Note): JsonObject => {
  const [at, value] = setting('num_retries') ?? [[], undefined];
  const retries = numberOf(value);
  if (retries === undefined || retries < 0) return {};
  if (retries > MOST_RETRIES)
    note(
      at,
      `retries: ${MOST_RETRIES} is the most: they are tries of the same target, and other targets are tried anyway.`,
      ['plugins'],
    );
  return { retries: Math.min(Math.round(retries), MOST_RETRIES) };
};

/** What `circuit.longest` is where nothing is said. */
const LONGEST_S = 300;

const readCooldown = (setting: Setting, note: Note): JsonObject => {
  const [failsAt, fails] = setting('allowed_fails') ?? [[], undefined];
  const allowed = numberOf(fails);
  const seconds = numberOf(setting('cooldown_time')?.[1]);
  if (allowed !== undefined)
    note(
      failsAt,
      'Failures are counted by a circuit here: it opens when half of so many calls within a minute have failed (docs/failover.md).',
      ['plugins'],
    );
  const open =
    seconds === undefined || seconds <= 0
      ? {}
      : { open: writeSeconds(seconds), ...(seconds > LONGEST_S ? { longest: writeSeconds(seconds) } : {}) };
  const circuit = {
    ...(allowed === undefined ? {} : { window: '60s', calls: Math.max(1, Math.round(allowed) + 1) }),
    ...open,
  };
  return {
    ...(seconds === undefined || seconds <= 0 ? {} : { cooldown: { rateLimit: writeSeconds(seconds) } }),
    ...(Object.keys(circuit).length === 0 ? {} : { circuit }),
  };
};

/** The `config` of the plugin `failover`, but for `models`. */
export const readFailover = (setting: Setting, routing: string, note: Note): JsonObject => ({
  ...readRetries(setting, note),
  ...readCooldown(setting, note),
  ...(routing === 'order' ? {} : { routing }),
});

/** A call that may last longer than this needs a longer `total`, too. */
const TOTAL_S = 1800;

/** The timeouts of every provider. */
export function readProviderTimeouts(setting: Setting): JsonObject {
  const seconds = numberOf((setting('timeout') ?? setting('request_timeout'))?.[1]);
  const stream = numberOf(setting('stream_timeout')?.[1]);
  const timeouts = {
    ...(seconds === undefined || seconds <= 0 ? {} : { firstByte: writeSeconds(seconds) }),
    ...(stream === undefined || stream <= 0 ? {} : { firstContent: writeSeconds(stream) }),
    ...(seconds !== undefined && seconds > TOTAL_S ? { total: writeSeconds(seconds) } : {}),
  };
  return Object.keys(timeouts).length === 0 ? {} : { timeouts };
}

const redisNames = ['redis_url', 'redis_host', 'redis_port', 'redis_password', 'redis_db'] as const;

/** What of `router_settings` and `litellm_settings` has been read here, in `readFallbacks` and in `readLimits`. */
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

/** As it may look once its variables are filled in. */
const isUrl = (url: string): boolean => /^rediss?:\/\//i.test(url) && URL.canParse(url.replaceAll(/\$\{[^}]*\}/g, '1'));

interface Writers {
  value(value: unknown, standIn: string): string | undefined;
  secret(value: unknown, name: string): string | undefined;
  note(name: string, text: string): void;
}

/** `store.redis`, from the parts of `router_settings`. */
export function readRedis(settings: JsonObject, { value, secret, note }: Writers): string | undefined {
  const url = textOf(settings['redis_url']);
  if (url !== undefined)
    return url.startsWith('os.environ/') ? value(url, 'redis://stand-in:6379') : secret(url, 'REDIS_URL');
  const host = value(settings['redis_host'], 'stand-in');
  if (host === undefined) return undefined;
  const password = secret(settings['redis_password'], 'REDIS_PASSWORD');
  const database = countOf(settings['redis_db']);
  const written = `redis://${password === undefined ? '' : `:${password}@`}${host}:${value(settings['redis_port'], '6379') ?? '6379'}${database === undefined ? '' : `/${database}`}`;
  if (isUrl(written)) return written;
  note('redis_host', 'Host and port do not make an address. Give store.redis one like redis://cache.internal:6379.');
  return undefined;
}
