import {
  GatewayError,
  parseSize,
  readDuration,
  type Answer,
  type Exchange,
  type PluginInstance,
  type Reply,
  type Services,
} from '../../core/api/index.ts';
import { formOf, writeEntry, type Entry } from './entry.ts';
import { isCacheable, keyOf } from './key.ts';
import type { ResponseCacheOptions } from './schema.ts';
import { createPrimaryStore, createRedisStore, type ResponseStore } from './store.ts';

/** The header of responses. */
const HEADER = 'x-koine-cache';
type Result = 'hit' | 'miss';

/** What a client asks of caches: `no-cache` for a new response, `no-store` for one that is not stored either. */
const readDirectives = (header: string | undefined): readonly string[] =>
  header === undefined ? [] : header.split(',').map((directive) => directive.trim().toLowerCase());

/** What the cache does for one exchange. */
interface Plan {
  readonly key: string;
  /** The client has asked for a response of the upstream, to be stored. */
  readonly isRefresh: boolean;
  /** For the records of the request. */
  readonly fields: { result?: Result };
}

type Count = (result: 'hit' | 'miss' | 'failed') => void;

/** @throws GatewayError at start if there is no Redis */
function openStore({ store }: ResponseCacheOptions, { redis, primary }: Services): ResponseStore {
  if (store === 'memory') return createPrimaryStore(primary);
  if (redis !== undefined) return createRedisStore(redis);
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    'The plugin response-cache has store: redis, and store.redis is not set. Set its URL, or write store: memory.',
  );
}

const isComplete = ({ reason, finish, error }: Awaited<ReturnType<Reply['deliver']>>): boolean =>
  reason === 'complete' && error === undefined && finish?.reason !== 'refusal' && finish?.reason !== 'content_filter';

/** Keeps the bytes of a response while it is sent, up to a number. */
class Copy {
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: string | Uint8Array): void {
    if (this.#length > this.#maxBytes) return;
    // The bytes of a chunk can be reused by its owner.
    const chunk = Buffer.from(bytes);
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) this.#chunks.length = 0;
    else this.#chunks.push(chunk);
  }

  /** @returns undefined if the response is too long */
  read(): string | undefined {
    return this.#length > this.#maxBytes ? undefined : Buffer.concat(this.#chunks).toString();
  }
}

/** Answers equal requests with the stored response of the first. */
class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #store: ResponseStore;
  readonly #services: Services;
  readonly #count: Count;
  readonly #ttlMs: number;
  readonly #maxBytes: number;
  /** Of the exchanges that are not settled. */
  readonly #plans = new Map<Exchange, Plan>();

  constructor(options: ResponseCacheOptions, services: Services) {
    this.#options = options;
    this.#store = openStore(options, services);
    this.#services = services;
    const requests = services.metrics.counter(
      'koine_response_cache_requests_total',
      'Requests that the response cache could answer, by result.',
      ['result'],
    );
    this.#count = (result) => requests.bind([result])(1);
    this.#ttlMs = readDuration(options.ttl);
    this.#maxBytes = parseSize(options.maxResponse);
  }

  /** Chooses what to do, before any other plugin can see the result. */
  plan(exchange: Exchange): Plan | undefined {
    const asked = readDirectives(exchange.headers['cache-control']);
    if (asked.includes('no-store') || !isCacheable(exchange, this.#options)) return undefined;
    const plan = { key: keyOf(exchange, this.#options.shared), isRefresh: asked.includes('no-cache'), fields: {} };
    this.#plans.set(exchange, plan);
    return plan;
  }

  leave(exchange: Exchange): void {
    this.#plans.delete(exchange);
  }

  async answer(exchange: Exchange): Promise<Answer | undefined> {
    const plan = this.#plans.get(exchange);
    if (plan === undefined) return undefined;
    const answer = plan.isRefresh ? undefined : await this.#find(plan.key, exchange);
    const result = answer === undefined ? 'miss' : 'hit';
    plan.fields.result = result;
    this.#count(result);
    return answer;
  }

  /** @returns undefined if there is none, or it is from a target that the exchange may not use */
  async #find(key: string, exchange: Exchange): Promise<Answer | undefined> {
    try {
      const text = await this.#store.get(key);
      if (text === undefined) return undefined;
      const entry = JSON.parse(text) as Entry;
      const target = exchange.targets.find(({ id }) => id === entry.target);
      const form = target && writeEntry(entry, exchange, this.#services);
      if (target === undefined || form === undefined) return undefined;
      const { lane, losses } = entry;
      return { target, lane, losses, contentType: form.contentType, body: form.body, headers: { [HEADER]: 'hit' } };
    } catch (error) {
      this.#fail(error, exchange);
      return undefined;
    }
  }

  /** The reply of an upstream, which is stored when it has been sent as a whole. */
  keep(reply: Reply, exchange: Exchange): Reply {
    const plan = this.#plans.get(exchange);
    if (plan === undefined || reply.status !== 200) return reply;
    const deliver: Reply['deliver'] = async (output) => {
      const copy = new Copy(this.#maxBytes);
      const ending = await reply.deliver({
        write: (bytes, isLast) => {
          copy.add(bytes);
          return output.write(bytes, isLast);
        },
      });
      const body = isComplete(ending) ? copy.read() : undefined;
      if (body !== undefined) this.#set(plan.key, reply, body, exchange);
      return ending;
    };
    return { ...reply, headers: { ...reply.headers, [HEADER]: 'miss' }, deliver };
  }

  #set(key: string, { target, lane, losses, headers }: Reply, body: string, exchange: Exchange): void {
    const contentType = headers['content-type'] ?? 'application/json';
    const entry: Entry = { target: target.id, lane, losses, ...formOf(exchange), contentType, body };
    const fail = (error: unknown): void => this.#fail(error, exchange);
    try {
      const storing = this.#store.set(key, JSON.stringify(entry), this.#ttlMs);
      if (storing instanceof Promise) storing.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Requests are answered by upstreams meanwhile. */
  #fail(error: unknown, { id }: Exchange): void {
    this.#count('failed');
    this.#services.log.warn({ request_id: id, error }, 'the response cache failed');
  }
}

export function createResponseCache(options: ResponseCacheOptions, services: Services): PluginInstance {
  const cache = new ResponseCache(options, services);
  return {
    admit: (exchange) => {
      const fields = cache.plan(exchange)?.fields;
      return (
        fields && {
          annotations: { log: fields, tags: fields, span: fields },
          settle: () => cache.leave(exchange),
        }
      );
    },
    answer: (exchange) => cache.answer(exchange),
    interceptor: (next) => async (attempt) => cache.keep(await next(attempt), attempt.exchange),
    explain: (exchange) => ({ cacheable: isCacheable(exchange, options) }),
  };
}
