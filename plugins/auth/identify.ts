import { hash, timingSafeEqual } from 'node:crypto';
import { GatewayError, type Caller, type Clock, type KeyRecord, type RequestHead } from '../../core/api/index.ts';
import { setBounded } from '../../core/api/internal.ts';
import type { FailureReason } from './failure-metric.ts';
import type { FindKey } from './find-key.ts';
import { MAX_KEY_LENGTH, readPresentedKey } from './presented-key.ts';
import type { Throttle } from './throttle.ts';

export interface IdentifyParts {
  readonly find: FindKey;
  /** undefined: wrong keys are not limited. */
  readonly throttle: Throttle | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly countFailure: (reason: FailureReason) => void;
}

/** Digests that are kept. */
const MAX_DIGESTS = 1_000;

const blocked = (ms: number): GatewayError => {
  const seconds = Math.ceil(ms / 1_000);
  return new GatewayError(
    'rate_limit_exceeded',
    `Rate limit exceeded: too many requests with a wrong key from this address; try again in ${seconds}s.`,
    { retryAfterMs: Math.ceil(ms) },
  );
};

/** Compares what was found by index again, in constant time: a faulty lookup never lets another key in. */
const isSame = ({ digest }: KeyRecord, presented: Buffer): boolean =>
  digest.byteLength === presented.byteLength && timingSafeEqual(digest, presented);

/**
 * Identifies callers by their key. A key is looked up before a block applies: an address that guesses gets 429 for
 * wrong keys, and valid keys from the same address are accepted.
 */
export class Identifier {
  readonly #parts: IdentifyParts;
  /** Digests of the keys that were accepted last, by their text, which is in memory for as long as they are in use. */
  readonly #digests = new Map<string, Buffer>();

  constructor(parts: IdentifyParts) {
    this.#parts = parts;
  }

  /**
   * Synchronous when the key is in memory.
   * @returns undefined for a missing or unknown key
   * @throws GatewayError 401, 429 or 503
   */
  readonly identify = (head: RequestHead): Caller | undefined | Promise<Caller | undefined> => {
    const text = readPresentedKey(head);
    if (text === undefined) {
      this.#parts.countFailure('missing');
      return undefined;
    }
    if (text.length > MAX_KEY_LENGTH) return this.#fail('unknown', head);
    const digest = this.#digests.get(text) ?? hash('sha256', text, 'buffer');
    const found = this.#find(text, digest, head);
    return found instanceof Promise
      ? found.then((record) => this.#accept(record, text, digest, head), this.#failLookup)
      : this.#accept(found, text, digest, head);
  };

  #find(text: string, digest: Buffer, { address }: RequestHead): ReturnType<FindKey> {
    const { find, throttle } = this.#parts;
    try {
      if (throttle === undefined || throttle.blockedFor(address) === 0) return find({ text, digest });
      return throttle.queueLookup(address, () => find({ text, digest }));
    } catch (thrown) {
      return this.#failLookup(thrown);
    }
  }

  #accept(record: KeyRecord | undefined, text: string, digest: Buffer, head: RequestHead): Caller | undefined {
    if (record === undefined || !isSame(record, digest)) return this.#fail('unknown', head);
    const reason = record.disabled
      ? 'disabled'
      : record.expiresAt !== undefined && record.expiresAt <= this.#parts.clock.now()
        ? 'expired'
        : undefined;
    if (reason === undefined) {
      if (!this.#digests.has(text)) setBounded(this.#digests, MAX_DIGESTS, text, digest);
      return record.caller;
    }
    this.#fail(reason, head);
    // The same response as for unknown keys, so that it does not reveal which keys exist.
    throw new GatewayError('invalid_api_key');
  }

  /** Counts a wrong key. @throws GatewayError 429 when the address is blocked */
  #fail(reason: FailureReason, { address }: RequestHead): undefined {
    const { throttle, countFailure } = this.#parts;
    const blockedMs = throttle?.blockedFor(address) ?? 0;
    if (blockedMs > 0) {
      countFailure('throttled');
      throw blocked(blockedMs);
    }
    countFailure(reason);
    throttle?.failed(address);
  }

  readonly #failLookup = (cause: unknown): never => {
    this.#parts.countFailure('unavailable');
    // A key that cannot be looked up is never a 401.
    throw new GatewayError('service_unavailable', undefined, { cause });
  };
}
