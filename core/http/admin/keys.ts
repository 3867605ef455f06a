import { hash } from 'node:crypto';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import { isDuration, parseDuration } from '../../config/units/duration.ts';
import { readKeyRequest } from '../../config/validate/read-key.ts';
import type { AdminReply, AdminRequest, AdminRouter } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import type { ListedKey } from '../../tenancy/listed-key.ts';
import { checkMatch, isConditional, tagOf } from './entity-tag.ts';
import { keyCalls } from './key-calls.ts';

/** Identifies the state of a key, so that an audit line can be compared with the list. */
const fingerprint = (key: ListedKey): string => hash('sha256', JSON.stringify(key)).slice(0, 16);

const readFilter = ({ query: { organization, project } }: AdminRequest) => omitUndefined({ organization, project });
const idOf = ({ params: { id = '' } }: AdminRequest): string => id;

/** Reads `{ overlap?: '24h' }` or an empty body. @returns milliseconds */
const readOverlap = (body: unknown = {}): number => {
  if (!isObject(body)) throw invalidRequest('', 'The body must be an object: {"overlap":"24h"}, or empty.');
  const { overlap = '0s', ...rest } = body;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw invalidRequest(unknown, `${JSON.stringify(unknown)} is not a known member; the body can have "overlap".`);
  if (!isDuration(overlap))
    throw invalidRequest(
      'overlap',
      'overlap must look like 30m, 24h or 7d: how long the old key stays valid beside the new one.',
    );
  return parseDuration(overlap);
};

const keyTag = (key: ListedKey): string => tagOf(fingerprint(key));
const listTag = (keys: readonly ListedKey[]): string => tagOf(hash('sha256', JSON.stringify(keys)).slice(0, 16));

/** Runs changes one after the other, so that no check of `If-Match` sees a state that another call is changing. */
function createSerializer(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

/** The calls under /admin/keys. Calls that change something run one after the other, and honour `If-Match`. */
class KeyCalls {
  readonly #keys: KeyRegister;
  readonly #serialize = createSerializer();

  constructor(keys: KeyRegister) {
    this.#keys = keys;
  }

  async list(request: AdminRequest): Promise<AdminReply> {
    const list = await this.#keys.list(readFilter(request));
    return { headers: { etag: listTag(list) }, body: { keys: list } };
  }

  async get(request: AdminRequest): Promise<AdminReply> {
    const key = await this.#keys.get(idOf(request));
    return { headers: { etag: keyTag(key) }, body: key };
  }

  create(request: AdminRequest): Promise<AdminReply> {
    return this.#serialize(async () => {
      if (isConditional(request))
        checkMatch(request, listTag(await this.#keys.list()), 'The list of all keys is', 'GET /admin/keys');
      const { key, secret, warnings } = await this.#keys.create(readKeyRequest(request.body ?? {}));
      return {
        status: 201,
        headers: { etag: keyTag(key) },
        body: { ...key, secret, warnings },
        audit: { key: key.id, after: fingerprint(key) },
      };
    });
  }

  rotate(request: AdminRequest): Promise<AdminReply> {
    return this.#change(request, async (id) => {
      const { key, secret, warnings, replaced } = await this.#keys.rotate(id, readOverlap(request.body));
      return {
        status: 201,
        headers: { etag: keyTag(key) },
        body: { ...key, secret, warnings, replaced: replaced.after },
        audit: {
          key: replaced.before.id,
          before: fingerprint(replaced.before),
          after: fingerprint(replaced.after),
          newKey: key.id,
          newKeyAfter: fingerprint(key),
        },
      };
    });
  }

  revoke(request: AdminRequest): Promise<AdminReply> {
    return this.#change(request, async (id) => {
      const { before, after } = await this.#keys.revoke(id);
      return {
        headers: { etag: keyTag(after) },
        body: after,
        audit: { key: before.id, before: fingerprint(before), after: fingerprint(after) },
      };
    });
  }

  /** Changes one key. Refused if the key is not the one of `If-Match` any more. */
  #change(request: AdminRequest, run: (id: string) => Promise<AdminReply>): Promise<AdminReply> {
    return this.#serialize(async () => {
      const id = idOf(request);
      if (isConditional(request))
        checkMatch(request, keyTag(await this.#keys.get(id)), 'The key is', 'GET /admin/keys/{id}');
      return run(id);
    });
  }
}

/** Adds the calls under /admin/keys: docs/reference/admin.md. */
export function addKeyCalls(router: AdminRouter, keys: KeyRegister): void {
  const calls = new KeyCalls(keys);
  router.get('/admin/keys', (request) => calls.list(request), keyCalls.list);
  router.get('/admin/keys/{id}', (request) => calls.get(request), keyCalls.get);
  router.post('/admin/keys', (request) => calls.create(request), keyCalls.create);
  router.post('/admin/keys/{id}/rotate', (request) => calls.rotate(request), keyCalls.rotate);
  router.delete('/admin/keys/{id}', (request) => calls.revoke(request), keyCalls.revoke);
}
