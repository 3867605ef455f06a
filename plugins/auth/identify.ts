import { hash, timingSafeEqual } from 'node:crypto';
import { GatewayError, type Caller, type Clock, type KeyRecord, type PluginInstance, type RequestHead } from '../../core/index.ts';
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
  new GatewayError('rate_limit_exceeded', `Rate limit exceeded: too many requests with a wrong key from this address; try again in ${Math.ceil(ms / 1_000)}s.`, { retryAfterMs: Math.ceil(ms) });

/** Compares again, in constant time, what was found by index: no lookup, however wrong, lets another key in. */
const isSame = ({ digest }: KeyRecord, presented: Buffer): boolean => digest.byteLength === presented.byteLength && timingSafeEqual(digest, presented);

/** Who calls, by the key of the head; undefined where no key is presented, or one that nobody knows. Synchronous where the key is known at once. */
export const createIdentify = ({ find, throttle, clock, note }: IdentifyParts): NonNullable<PluginInstance['identify']> => {
  const fail = (reason: FailureReason, { address }: RequestHead, digest: Buffer | undefined): undefined => {
    note(reason);
    throttle?.failed(address, digest);
  };

  const accept = (record: KeyRecord | undefined, digest: Buffer, head: RequestHead): Caller | undefined => {
    if (record === undefined || !isSame(record, digest)) return fail('unknown', head, digest);
    const reason = record.disabled ? 'disabled' : record.expiresAt !== undefined && record.expiresAt <= clock.now() ? 'expired' : undefined;
    if (reason !== undefined) {
      fail(reason, head, digest);
      throw refuse();
    }
    throttle?.accepted(head.address, digest);
    return record.caller;
  };

  const giveUp = (cause: unknown): never => {
    note('unavailable');
    throw describeOutage(cause);
  };

  const look = (text: string, digest: Buffer): ReturnType<FindKey> => {
    try {
      return find({ text, digest });
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
    const digest = text.length > LONGEST_KEY ? undefined : hash('sha256', text, 'buffer');
    const blockedMs = throttle?.blockedFor(head.address, digest) ?? 0;
    if (blockedMs > 0) {
      note('throttled');
      throw describeBlock(blockedMs);
    }
    if (digest === undefined) return fail('unknown', head, digest);
    const found = look(text, digest);
    return found instanceof Promise ? found.then((record) => accept(record, digest, head), giveUp) : accept(found, digest, head);
  };
};
