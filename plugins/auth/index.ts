import { hash, timingSafeEqual } from 'node:crypto';
import { definePlugin, GatewayError, type Caller, type KeyRecord, type RequestHead, type Services } from '../../core/index.ts';
import { readPresentedKey } from './presented-key.ts';
import { schema } from './schema.ts';

/** Knows the caller by an API key. Synchronous, no promise, wherever the directory knows the key at once. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'auth',
  schema,
  create: (_options: unknown, services) => ({ identify: (head) => identify(head, services) }),
});

/** Undefined for a request without a key or with one that nobody knows: another plugin may know its caller, else it is a 401. */
const identify = (head: RequestHead, { keys, clock }: Services): Caller | undefined | Promise<Caller | undefined> => {
  const text = readPresentedKey(head);
  if (text === undefined) return undefined;
  const digest = hash('sha256', text, 'buffer');
  const found = attempt(() => keys.find({ digest, text }));
  return found instanceof Promise
    ? found.then((record) => accept(record, digest, clock.now()), (error: unknown) => Promise.reject(describeOutage(error)))
    : accept(found, digest, clock.now());
};

/** Compares again, in constant time, what the directory found by index: no lookup, however wrong, lets another key in. */
const accept = (record: KeyRecord | undefined, digest: Uint8Array, now: number): Caller | undefined => {
  if (record === undefined || record.digest.byteLength !== digest.byteLength || !timingSafeEqual(record.digest, digest)) return undefined;
  if (record.disabled || (record.expiresAt !== undefined && record.expiresAt <= now)) throw refuse();
  return record.caller;
};

const attempt = <T>(find: () => T): T => {
  try {
    return find();
  } catch (error) {
    throw describeOutage(error);
  }
};

/** A key that is ours and does not count any more gets the answer that an unknown one gets: nothing tells which keys exist. */
const refuse = (): GatewayError => new GatewayError('invalid_api_key');

/** A directory that cannot be asked says nothing about the key: never a 401. */
const describeOutage = (cause: unknown): GatewayError => new GatewayError('service_unavailable', undefined, { cause });
