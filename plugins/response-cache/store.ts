import {
  type Clock,
  type PrimaryInstance,
  type PrimaryLink,
  type PrimaryServices,
  type Redis,
  parseSize,
} from '../../core/api/index.ts';
import type { ResponseCacheOptions } from './schema.ts';

/** Keeps texts by key for some time. */
export interface ResponseStore {
  /** @returns undefined if there is none, or it has expired */
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): unknown;
}

/** A request does not wait longer for a stored response. */
const WAIT_MS = 100;
/** Memory of an entry beside its text, about. */
const ENTRY_BYTES = 300;

/** Texts in memory, up to a number of bytes. The one that was not used for longest is removed first. */
export class MemoryResponses implements ResponseStore {
  readonly #entries = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  readonly #clock: Pick<Clock, 'now'>;
  #bytes = 0;
  maxBytes = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key);
    if (entry.expiresAt <= this.#clock.now()) return undefined;
    this.#add(key, entry);
    return entry.text;
  }

  set(key: string, text: string, ttlMs: number): void {
    this.#remove(key);
    this.#add(key, { text, expiresAt: this.#clock.now() + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) return;
      this.#remove(oldest);
    }
  }

  #add(key: string, entry: { readonly text: string; readonly expiresAt: number }): void {
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(entry.text);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry.text);
  }
}

/** Texts with characters beyond Latin-1 take two bytes each. */
const sizeOf = (text: string): number => text.length * 2 + ENTRY_BYTES;

type Message =
  | { readonly call: 'get'; readonly key: string }
  | { readonly call: 'set'; readonly key: string; readonly text: string; readonly ttlMs: number };

/** The memory of the main thread, which all workers of a host share. */
export const createPrimaryStore = (primary: PrimaryLink): ResponseStore => ({
  get: (key) => {
    const found = primary.call({ call: 'get', key } satisfies Message, WAIT_MS);
    const read = (text: unknown): string | undefined => (typeof text === 'string' ? text : undefined);
    return found instanceof Promise ? found.then(read) : read(found);
  },
  set: (key, text, ttlMs) => primary.call({ call: 'set', key, text, ttlMs } satisfies Message, WAIT_MS),
});

/** The primary instance. The responses outlive reloads. */
export function createPrimary(
  { size }: Pick<ResponseCacheOptions, 'size'>,
  { shared, clock, metrics }: PrimaryServices,
): PrimaryInstance {
  const responses = shared('response-cache/responses', () => new MemoryResponses(clock));
  responses.maxBytes = parseSize(size);
  const gauge = metrics.gauge('koine_response_cache_bytes', 'Memory of stored responses.', [], 'sum').bind([]);
  return {
    handle: (received) => {
      const message = received as Message;
      if (message.call === 'get') return responses.get(message.key);
      responses.set(message.key, message.text, message.ttlMs);
      gauge(responses.bytes);
      return true;
    },
  };
}

const GET = "return redis.call('GET', KEYS[1])";
const SET = "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])";

export function createRedisStore(redis: Redis): ResponseStore {
  const get = redis.script('koineCacheGet', GET);
  const set = redis.script('koineCacheSet', SET);
  const name = (key: string): string => `koine:response-cache:${key}`;
  return {
    get: async (key) => {
      const text = await get([name(key)], []);
      return typeof text === 'string' ? text : undefined;
    },
    set: (key, text, ttlMs) => set([name(key)], [text, ttlMs]),
  };
}
