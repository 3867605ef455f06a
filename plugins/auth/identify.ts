import { hash, timingSafeEqual } from 'node:crypto';
import {
  GatewayError,
  type Caller,
  type Clock,
  type KeyRecord,
  type PluginInstance,
  type RequestHead,
} from '../../core/index.ts';
import type { FailureReason } from './failures.ts';
import type { FindKey } from './find-key.ts';
import { LONGEST_KEY, readPresentedKey } from './presented-key.ts';
import type { Throttle } from './throttle.ts';

export interface IdentifyParts {
  readonly find: FindKey;
  /** undefined: addresses may guess. */
  readonly throttle: Throttle | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly note: (reason: FailureReason) => void;
}

/** A key that is ours and does not count any more gets the answer that an unknown one gets: nothing tells which keys exist. */
const refuse = (): GatewayError => new GatewayError('invalid_api_key');

/** A source that cannot be asked says nothing about the key: never a 401. */
const describeOutage = (cause: unknown): GatewayError => new GatewayError('service_unavailable', undefined, { cause });

const describeBlock = (ms: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `Rate limit exceeded: too many requests with a wrong key from this address; try again in ${Math.ceil(ms / 1_000)}s.`,
    { retryAfterMs: Math.ceil(ms) },
  );

/** Compares again, in constant time, what was found by index: no lookup, however wrong, lets another key in. */
const isSame = ({ digest }: KeyRecord, presented: Buffer): boolean =>
  digest.byteLength === presented.byteLength && timingSafeEqual(digest, presented);

/**
 * Finds the caller by the key of the head; undefined where no key is presented, or an unknown one. Synchronous where the key is known at once. A key
 * is looked up before anything is refused: an address that guesses gets 429 for its wrong keys, and its neighbours' good keys go on.
 */
export function createIdentify({
  find,
  throttle,
  clock,
  note,
}: IdentifyParts): NonNullable<PluginInstance['identify']> {
  /** @throws GatewayError 429 where the address has presented too many wrong keys */
  const fail = (reason: FailureReason, { address }: RequestHead): undefined => {
    const blockedMs = throttle?.blockedFor(address) ?? 0;
    if (blockedMs > 0) {
      note('throttled');
      throw describeBlock(blockedMs);
    }
    note(reason);
    throttle?.failed(address);
  };

  const accept = (record: KeyRecord | undefined, digest: Buffer, head: RequestHead): Caller | undefined => {
    if (record === undefined || !isSame(record, digest)) return fail('unknown', head);
    const reason = record.disabled
      ? 'disabled'
      : record.expiresAt !== undefined && record.expiresAt <= clock.now()
        ? 'expired'
        : undefined;
    if (reason === undefined) return record.caller;
    fail(reason, head);
    throw refuse();
  };

  const giveUp = (cause: unknown): never => {
    note('unavailable');
    throw describeOutage(cause);
  };

  const look = (text: string, digest: Buffer, { address }: RequestHead): ReturnType<FindKey> => {
    try {
      if (throttle === undefined || throttle.blockedFor(address) === 0) return find({ text, digest });
      return throttle.inTurn(address, () => find({ text, digest }));
    } catch (thrown) {
      return giveUp(thrown);
    }
  };

  return (head) => {
    const text = readPresentedKey(head);
    if (text === undefined) {
      note('missing');
      return undefined;
    }
    if (text.length > LONGEST_KEY) return fail('unknown', head);
    const digest = hash('sha256', text, 'buffer');
    const found = look(text, digest, head);
    return found instanceof Promise
      ? found.then((record) => accept(record, digest, head), giveUp)
      : accept(found, digest, head);
  };
}
