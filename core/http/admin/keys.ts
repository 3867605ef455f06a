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

/** What an auditor compares with the list: a key that has changed has another one. */
const fingerprint = (key: ListedKey): string => hash('sha256', JSON.stringify(key)).slice(0, 16);

const readFilter = ({ query: { organization, project } }: AdminRequest) =>
  omitUndefined({
    organization,
    project,
  });
const idOf = ({ params: { id = '' } }: AdminRequest): string => id;

/** `{ overlap?: '24h' }`, or nothing at all. */
const readOverlap = (body: unknown = {}): number => {
  if (!isObject(body)) throw invalidRequest('', 'The body must be an object: {"overlap":"24h"}, or empty.');
  const { overlap = '0s', ...more } = body;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined)
    throw invalidRequest(unknown, `${JSON.stringify(unknown)} is not known here; the body may have "overlap".`);
  if (!isDuration(overlap))
    throw invalidRequest(
      'overlap',
      'overlap must look like 30m, 24h or 7d: how long the old key goes on beside the new one.',
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

/** The calls under /admin/keys: docs/admin.md. */
export function addKeyCalls(router: AdminRouter, keys: KeyRegister): void {
  const serialize = createSerializer();
  /** Refused where the key has changed since it was looked at. */
  const change = (request: AdminRequest, run: (id: string) => Promise<AdminReply>): Promise<AdminReply> =>
    serialize(async () => {
      const id = idOf(request);
      if (isConditional(request)) checkMatch(request, keyTag(await keys.get(id)), 'The key is', 'GET /admin/keys/{id}');
      return run(id);
    });

  router.get(
    '/admin/keys',
    async (request) => {
      const list = await keys.list(readFilter(request));
      return { headers: { etag: listTag(list) }, body: { keys: list } };
    },
    keyCalls.list,
  );

  router.get(
    '/admin/keys/{id}',
    async (request) => {
      const key = await keys.get(idOf(request));
      return { headers: { etag: keyTag(key) }, body: key };
    },
    keyCalls.get,
  );

  router.post(
    '/admin/keys',
    (request) =>
      serialize(async () => {
        if (isConditional(request))
          checkMatch(request, listTag(await keys.list()), 'The list of all keys is', 'GET /admin/keys');
        const { key, secret, warnings } = await keys.create(readKeyRequest(request.body ?? {}));
        return {
          status: 201,
          headers: { etag: keyTag(key) },
          body: { ...key, secret, warnings },
          audit: { key: key.id, after: fingerprint(key) },
        };
      }),
    keyCalls.create,
  );

  router.post(
    '/admin/keys/{id}/rotate',
    (request) =>
      change(request, async (id) => {
        const { key, secret, warnings, replaced } = await keys.rotate(id, readOverlap(request.body));
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
      }),
    keyCalls.rotate,
  );

  router.delete(
    '/admin/keys/{id}',
    (request) =>
      change(request, async (id) => {
        const { before, after } = await keys.revoke(id);
        return {
          headers: { etag: keyTag(after) },
          body: after,
          audit: { key: before.id, before: fingerprint(before), after: fingerprint(after) },
        };
      }),
    keyCalls.revoke,
  );
}
