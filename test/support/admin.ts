import { omitUndefined } from '../../core/api/codec.ts';
import type { JsonObject } from '../../core/canonical/wire.ts';
import type { AdminRequest } from '../../core/contracts/admin.ts';
import type { ListedKey } from '../../core/tenancy/listed-key.ts';
import type { TestGateway } from './gateway.ts';
import { callOf } from './calls.ts';
import { send, type HttpReply } from './http.ts';

export const json = { 'content-type': 'application/json' };

/** A request of an admin, as a handler gets it. */
export const adminRequest = (more: Partial<AdminRequest> = {}): AdminRequest => ({
  actor: { name: 'test', role: 'admin' },
  params: {},
  query: {},
  body: undefined,
  headers: {},
  ...more,
});

/** One call of the admin API. */
export const askAdmin = (
  { gateway }: TestGateway,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = json,
): Promise<HttpReply> =>
  send(
    gateway.admin.url,
    omitUndefined({ method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
  );

/** An answer that is JSON, of a status that was expected. */
export const readJson = <T = JsonObject>(reply: HttpReply, status = 200): T => {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  return JSON.parse(reply.text) as T;
};

export type Issued = ListedKey & { readonly secret: string; readonly warnings: readonly string[] };

export const createKey = async (gateway: TestGateway, body: object): Promise<Issued> =>
  readJson<Issued>(await askAdmin(gateway, 'POST', '/admin/keys', body), 201);
export const listKeys = async (gateway: TestGateway, query = ''): Promise<readonly ListedKey[]> =>
  readJson<{ keys: ListedKey[] }>(await askAdmin(gateway, 'GET', `/admin/keys${query}`)).keys;

/** What a client with this key gets. */
export const statusWith = async (
  { url }: Pick<TestGateway, 'url'>,
  secret: string,
  model = 'simulator/chat',
): Promise<number> =>
  (await send(url, { ...callOf('chat', model), headers: { ...json, authorization: `Bearer ${secret}` } })).status;

/** Repeats the request until it has this status. Database changes apply within a second; on a busy machine later. */
export const becomes = async (gateway: Pick<TestGateway, 'url'>, secret: string, status: number): Promise<void> => {
  const deadline = performance.now() + 40_000;
  for (;;) {
    const got = await statusWith(gateway, secret);
    if (got === status) return;
    if (performance.now() > deadline) throw new Error(`the key is still answered with ${got}, not with ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
