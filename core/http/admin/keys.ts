import { isObject } from '../../canonical/json/members.ts';
import { isDuration, parseDuration } from '../../config/units/duration.ts';
import { readKeyChange, readKeyRequest, type KeyRequest } from '../../config/validate/read-key.ts';
import type { AdminReply, AdminRequest, AdminRouter } from '../../contracts/admin.ts';
import type { Clock } from '../../contracts/services.ts';
import { atPlace } from '../../errors/at-place.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';
import type { ListedKey } from '../../tenancy/listed-key.ts';
import type { IssuedKey } from '../../tenancy/issue-key.ts';
import type { ChangedKey } from '../../tenancy/rotation.ts';
import { checkMatch, fingerprint, isConditional, tagOf } from './entity-tag.ts';
import { keyCalls } from './key-calls.ts';
import { readKeyQuery, writeKeyCursor } from './key-query.ts';

const idOf = ({ params: { id = '' } }: AdminRequest): string => id;

/** Reads `{ overlap?: '24h' }` or an empty body. @returns milliseconds */
export const readOverlap = (body: unknown = {}): number => {
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

/** The most keys that one call creates. */
const MAX_KEYS = 1_000;

const placeOf = (index: number): string => `keys[${index}]`;

/** Reads `{ keys: [...] }`, each as a new key. */
const readRequests = (body: unknown): readonly KeyRequest[] => {
  const keys = isObject(body) && Object.keys(body).every((name) => name === 'keys') ? body['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS)
    throw invalidRequest('keys', `The body must be {"keys":[...]} with 1 to ${MAX_KEYS} keys, each as for one key.`);
  return keys.map((key, index) => atPlace(placeOf(index), () => readKeyRequest(key)));
};

/** The replies of calls on keys. Only those with the secret show it. */
export const describeCreated = ({ key, secret, warnings }: IssuedKey): AdminReply => ({
  status: 201,
  body: { ...key, secret, warnings },
  audit: { target: key.id, after: key },
});
export const describeRotated = ({
  key,
  secret,
  warnings,
  replaced,
}: IssuedKey & { readonly replaced: ChangedKey }): AdminReply => ({
  status: 201,
  body: { ...key, secret, warnings, replaced: replaced.after },
  audit: { target: replaced.before.id, ...replaced, newKey: key.id },
});
export const describeRevoked = ({ before, after }: ChangedKey): AdminReply => ({
  body: after,
  audit: { target: before.id, before, after },
});

const keyTag = (key: ListedKey): string => tagOf(fingerprint(key));

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
  readonly #clock: Pick<Clock, 'now'>;
  readonly #serialize = createSerializer();

  constructor(keys: KeyRegister, clock: Pick<Clock, 'now'>) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async list(request: AdminRequest): Promise<AdminReply> {
    const query = readKeyQuery(request, this.#clock.now());
    const etag = await this.#listTag();
    // One more than the page has shows whether there is a next page.
    const found = await this.#keys.page({ ...query, limit: query.limit + 1 });
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const next = found.length > page.length && last !== undefined ? writeKeyCursor(query.sort, last.position) : null;
    return { headers: { etag }, body: { keys: page.map(({ key }) => key), next } };
  }

  async get(request: AdminRequest): Promise<AdminReply> {
    const key = await this.#keys.get(idOf(request));
    return { headers: { etag: keyTag(key) }, body: key };
  }

  create(request: AdminRequest): Promise<AdminReply> {
    return this.#add(request, async () => {
      const created = await this.#keys.create(readKeyRequest(request.body ?? {}));
      return { ...describeCreated(created), headers: { etag: keyTag(created.key) } };
    });
  }

  createAll(request: AdminRequest): Promise<AdminReply> {
    return this.#add(request, async () => {
      const created = await this.#keys.createAll(readRequests(request.body), placeOf);
      return {
        status: 201,
        body: { keys: created.map(({ key, secret, warnings }) => ({ ...key, secret, warnings })) },
        audit: { target: created.map(({ key }) => key.id).join(' '), after: created.map(({ key }) => key) },
      };
    });
  }

  change(request: AdminRequest): Promise<AdminReply> {
    return this.#serialize(async () => {
      const change = readKeyChange(request.body);
      const { before, after, warnings } = await this.#keys.change(idOf(request), (present) => {
        checkMatch(request, keyTag(present), 'The key is', 'GET /admin/keys/{id}');
        return change;
      });
      return {
        headers: { etag: keyTag(after) },
        body: { ...after, warnings },
        audit: { target: before.id, before, after },
      };
    });
  }

  rotate(request: AdminRequest): Promise<AdminReply> {
    return this.#change(request, async (id) => {
      const rotated = await this.#keys.rotate(id, readOverlap(request.body));
      return { ...describeRotated(rotated), headers: { etag: keyTag(rotated.key) } };
    });
  }

  revoke(request: AdminRequest): Promise<AdminReply> {
    return this.#change(request, async (id) => {
      const revoked = await this.#keys.revoke(id);
      return { ...describeRevoked(revoked), headers: { etag: keyTag(revoked.after) } };
    });
  }

  async #listTag(): Promise<string> {
    return tagOf(fingerprint(await this.#keys.version()));
  }

  /** Adds to the list of keys. Refused if the list is not the one of `If-Match` any more. */
  #add(request: AdminRequest, run: () => Promise<AdminReply>): Promise<AdminReply> {
    return this.#serialize(async () => {
      if (isConditional(request))
        checkMatch(request, await this.#listTag(), 'The list of all keys is', 'GET /admin/keys');
      return run();
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
export function addKeyCalls(router: AdminRouter, keys: KeyRegister, clock: Pick<Clock, 'now'>): void {
  const calls = new KeyCalls(keys, clock);
  router.get('/admin/keys', (request) => calls.list(request), keyCalls.list);
  router.get('/admin/keys/{id}', (request) => calls.get(request), keyCalls.get);
  router.get('/admin/projects', () => ({ body: { projects: keys.projects() } }), keyCalls.projects);
  router.post('/admin/keys', (request) => calls.create(request), keyCalls.create);
  router.post('/admin/keys/bulk', (request) => calls.createAll(request), keyCalls.createAll);
  router.patch('/admin/keys/{id}', (request) => calls.change(request), keyCalls.change);
  router.post('/admin/keys/{id}/rotate', (request) => calls.rotate(request), keyCalls.rotate);
  router.delete('/admin/keys/{id}', (request) => calls.revoke(request), keyCalls.revoke);
}
