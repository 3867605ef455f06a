import { hash } from 'node:crypto';
import { isObject } from '../../canonical/members.ts';
import { isDuration, parseDuration } from '../../config/duration.ts';
import { readKeyRequest } from '../../config/read-key.ts';
import type { AdminRequest, AdminRouter } from '../../contracts/admin.ts';
import { invalidRequest } from '../../errors.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import type { ListedKey } from '../../tenancy/listed-key.ts';

/** What an auditor compares with the list: a key that has changed has another one. */
const fingerprint = (key: ListedKey): string => hash('sha256', JSON.stringify(key)).slice(0, 16);

const readFilter = ({ query: { organization, project } }: AdminRequest) => ({ ...(organization === undefined ? {} : { organization }), ...(project === undefined ? {} : { project }) });
const idOf = ({ params: { id = '' } }: AdminRequest): string => id;

/** `{ overlap?: '24h' }`, or nothing at all. */
const readOverlap = (body: unknown = {}): number => {
  if (!isObject(body)) throw invalidRequest('', 'The body must be an object: {"overlap":"24h"}, or empty.');
  const { overlap = '0s', ...more } = body;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw invalidRequest(unknown, `${JSON.stringify(unknown)} is not known here; the body may have "overlap".`);
  if (!isDuration(overlap)) throw invalidRequest('overlap', 'overlap must look like 30m, 24h or 7d: how long the old key goes on beside the new one.');
  return parseDuration(overlap);
};

/** The calls under /admin/keys: docs/admin.md. */
export const addKeyCalls = (router: AdminRouter, keys: KeyRegister): void => {
  router.get('/admin/keys', async (request) => ({ body: { keys: await keys.list(readFilter(request)) } }));

  router.post('/admin/keys', async ({ body }) => {
    const { key, secret, warnings } = await keys.create(readKeyRequest(body ?? {}));
    return { status: 201, body: { ...key, secret, warnings }, audit: { key: key.id, after: fingerprint(key) } };
  });

  router.post('/admin/keys/{id}/rotate', async (request) => {
    const { key, secret, warnings, replaced } = await keys.rotate(idOf(request), readOverlap(request.body));
    return {
      status: 201,
      body: { ...key, secret, warnings, replaced: replaced.after },
      audit: { key: replaced.before.id, before: fingerprint(replaced.before), after: fingerprint(replaced.after), newKey: key.id, newKeyAfter: fingerprint(key) },
    };
  });

  router.delete('/admin/keys/{id}', async (request) => {
    const { before, after } = await keys.revoke(idOf(request));
    return { body: after, audit: { key: before.id, before: fingerprint(before), after: fingerprint(after) } };
  });
};
