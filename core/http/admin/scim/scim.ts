import type { Context, Middleware } from 'koa';
import { isObject } from '../../../canonical/json/members.ts';
import type { AdminActor, AuditFacts } from '../../../contracts/admin.ts';
import type { Clock, Log } from '../../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../../errors/gateway-error.ts';
import { receiveJson } from '../../../exchange/request/receive.ts';
import { createBodyReader } from '../../request/body.ts';
import { queryOf } from '../../request/request-head.ts';
import type { RecordCall } from '../audit/record-call.ts';
import { describeOutage } from '../outage.ts';
import { readOwnOrigin } from '../login/cookie.ts';
import { createTokenCheck, readBearer, type TokenCheck } from '../login/token.ts';
import { groupType, userType } from './attributes.ts';
import { create, get, list, patch, remove, replace, type ScimCall, type ScimReply } from './calls.ts';
import { discover, discoveryPaths } from './discovery.ts';
import { describeScimError } from './scim-error.ts';
import type { ResourceStore } from './store.ts';
import type { People } from '../../../tenancy/people.ts';
import type { Sessions } from '../login/sessions.ts';

const ROOT = '/scim/v2';
const readBytes = createBodyReader({ limit: 4_194_304, origin: ' for SCIM' });
/** Of the ids that this gateway gives. */
const ID = /^[\da-f-]{36}$/;

/** The directory, in the audit log. */
const actor: AdminActor = { name: 'scim', role: 'admin' };

type Handler = (call: ScimCall) => Promise<ScimReply>;
const onCollection: Readonly<Record<string, Handler>> = { GET: list, POST: create };
const onResource: Readonly<Record<string, Handler>> = { GET: get, PUT: replace, PATCH: patch, DELETE: remove };

export interface ScimParts {
  readonly token: string;
  readonly users: ResourceStore;
  readonly groups: ResourceStore;
  readonly people: Pick<People, 'peopleOf'>;
  readonly sessions: Pick<Sessions, 'closeOf'>;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly record: RecordCall;
}

/** @throws GatewayError 401, 429 */
const checkToken = (context: Context, tokenCheck: TokenCheck): void => {
  if (tokenCheck.accepts(readBearer(context), context.req.socket.remoteAddress ?? '')) return;
  throw new GatewayError(
    'invalid_api_key',
    'The SCIM token is missing or wrong; send the one of admin.scim.token as Authorization: Bearer.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
};

/** Endpoints of RFC 7644 that a service provider can leave out. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['Bulk', 'Me', '.search']);
const refuseEndpoint = (path: string): GatewayError =>
  new GatewayError('invalid_request', `SCIM has no /${path} at this gateway; search below /Users and /Groups.`, {
    status: 501,
  });

const refuseMethod = ({ method, path }: Context, allowed: readonly string[]): GatewayError =>
  new GatewayError('method_not_allowed', `${method} is not allowed at ${path.slice(0, 100)}.`, {
    headers: { allow: allowed.join(', ') },
  });

const readBody = async (context: Context): Promise<unknown> => {
  if (context.method === 'GET' || context.method === 'DELETE') return undefined;
  if (!/^application\/(?:scim\+)?json\s*(?:;|$)/i.test(context.get('content-type')))
    throw new GatewayError('unsupported_media_type', 'Send content-type: application/scim+json.');
  return receiveJson(await readBytes(context.req, context.res), 'rounded');
};

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** @returns the response, and the declared path for the audit log */
const serve = async (
  context: Context,
  { users, groups }: ScimParts,
): Promise<ScimReply & { readonly call: string }> => {
  const [path = '', second, ...more] = context.path
    .slice(ROOT.length + 1)
    .split('/')
    .map(decode);
  const base = `${readOwnOrigin(context) ?? ''}${ROOT}`;
  const call = `${context.method} ${ROOT}/${path}${second === undefined ? '' : '/{id}'}`;
  const unknown = new GatewayError('not_found', `SCIM has no path ${context.path.slice(0, 100)} at this gateway.`);
  if (more.length > 0) throw unknown;
  if (discoveryPaths.includes(path)) {
    if (context.method !== 'GET') throw refuseMethod(context, ['GET']);
    const body = discover(base, path, second);
    if (body === undefined) throw unknown;
    return { status: 200, body, call };
  }
  const type = [userType, groupType].find(({ endpoint }) => endpoint === `/${path}`);
  if (NOT_SUPPORTED.has(path)) throw refuseEndpoint(path);
  if (type === undefined) throw unknown;
  const isSearch = second === '.search' && context.method === 'POST';
  const handlers = second === undefined ? onCollection : onResource;
  const handle = isSearch ? list : Object.hasOwn(handlers, context.method) ? handlers[context.method] : undefined;
  if (handle === undefined) throw refuseMethod(context, Object.keys(handlers));
  if (second !== undefined && !isSearch && !ID.test(second)) throw unknown;
  const body = await readBody(context);
  const query = isSearch && isObject(body) ? body : queryOf(context.url);
  const store = type === userType ? users : groups;
  return { ...(await handle({ type, store, id: second ?? '', query, body, base, context })), call };
};

const write = (context: Context, { status, headers = {}, body }: ScimReply): void => {
  context.status = status;
  context.set({ ...headers });
  if (body === undefined) return;
  context.set('content-type', 'application/scim+json; charset=utf-8');
  context.body = JSON.stringify(body);
};

const writeError = (context: Context, error: GatewayError): void => {
  if (error.publicRetrySeconds !== undefined) context.set('retry-after', String(error.publicRetrySeconds));
  write(context, { status: error.status, headers: error.headers ?? {}, body: describeScimError(error) });
};

/** Sessions at other gateways end with their next request. */
const endSessions = async ({ target = '', after }: AuditFacts, { people, sessions }: ScimParts): Promise<void> => {
  if (isObject(after) && (after['userName'] === undefined || after['active'] === true)) return;
  for (const person of await people.peopleOf(target)) sessions.closeOf(person);
};

/** SCIM 2.0 below `/scim/v2`, before the access check: it has a token of its own. */
export function createScim(parts: ScimParts): Middleware {
  const { token, log, clock, record } = parts;
  const tokenCheck = createTokenCheck(token, clock);
  return async (context, next) => {
    if (context.path !== ROOT && !context.path.startsWith(`${ROOT}/`)) return next();
    try {
      checkToken(context, tokenCheck);
      const { call, audit, ...reply } = await serve(context, parts);
      if (audit !== undefined) {
        await record(context, actor, call, { status: reply.status, ...audit });
        await endSessions(audit, parts);
      }
      write(context, reply);
    } catch (thrown) {
      const error = describeOutage(toGatewayError(thrown), log);
      const { method, path } = context;
      const address = context.req.socket.remoteAddress;
      const line = { address, method, path: path.slice(0, 100), code: error.code, reason: error.message };
      if (error.code === 'internal_error') log.error({ ...line, error: error.cause ?? error }, 'a SCIM request failed');
      else log[error.code === 'invalid_api_key' ? 'warn' : 'info'](line, 'SCIM request refused');
      writeError(context, error);
    }
  };
}
