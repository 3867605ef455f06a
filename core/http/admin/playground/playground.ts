import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../canonical/json/members.ts';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import { listSome } from '../../../canonical/text/list-some.ts';
import { allowsModel } from '../../../catalog/model-pattern.ts';
import type { RouteConfig } from '../../../config/gateway-config.ts';
import type { AdminActor, AdminReply, AdminRequest, AdminRouter, CallDescription } from '../../../contracts/admin.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { GatewayError, invalidRequest } from '../../../errors/gateway-error.ts';
import type { ListedKey } from '../../../tenancy/listed-key.ts';
import { refuseUnknown } from '../query.ts';
import { covers } from '../roles.ts';
import { flag, listOf, objectOf, onlyThese, text, texts, wholeOf } from '../schemas.ts';

const usableKey = wholeOf({ id: text, name: text, organization: text, project: text, models: texts });

/** The OpenAPI descriptions of the playground. */
const playgroundCalls = {
  describe: {
    summary: 'What the caller can try: own keys with the models they allow, whether others can be named, and routes.',
    role: 'developer',
    answer: wholeOf({
      keys: listOf(usableKey),
      others: flag,
      models: texts,
      routes: listOf(objectOf({ path: text, wire: text, operation: text })),
    }),
  },
  send: {
    summary:
      'Sends a request of a client with a key that the caller may use. The response is that of the gateway to the ' +
      'client, streamed where the body asks for it. Limits, ledger and logs count it as every request of the key.',
    role: 'developer',
    body: onlyThese({ key: text, organization: text, project: text, path: text, body: { type: 'object' } }, [
      'key',
      'path',
      'body',
    ]),
    type: 'text/event-stream',
  },
} as const satisfies Readonly<Record<string, CallDescription>>;

/** A key that was found without its secret. */
export interface PlaygroundKey {
  readonly caller: Caller;
  readonly origin: 'configuration' | 'database' | 'plugin';
  readonly ownerId?: string;
}

/** What the playground needs of the gateway. */
export interface PlaygroundParts {
  readonly routes: readonly RouteConfig[];
  /** The models of the configuration, and their aliases. */
  readonly models: readonly string[];
  /** The keys that a person has made, ended ones included. */
  listOwn(owner: { readonly id: string }): Promise<readonly ListedKey[]>;
  /** @throws GatewayError `not_found`, and `permission_denied` for a key that is disabled or has expired */
  findKey(selector: {
    readonly key: string;
    readonly organization?: string;
    readonly project?: string;
  }): Promise<PlaygroundKey>;
  /** Sends a request of a client as this caller. */
  send(caller: Caller, path: string, body: string): Promise<IncomingMessage>;
  now(): number;
}

interface TryRequest {
  readonly key: string;
  readonly organization?: string;
  readonly project?: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const MEMBERS: readonly string[] = ['key', 'organization', 'project', 'path', 'body'];
/** Headers of the response that reach the page. */
const PASSED = ['content-type', 'x-request-id', 'x-koine-losses', 'retry-after'];

const readName = (given: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = given[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw invalidRequest(name, `${name} must be text that is not empty.`);
};

const requireName = (given: Readonly<Record<string, unknown>>, name: string): string => {
  const value = readName(given, name);
  if (value === undefined) throw invalidRequest(name, `${name} must be given.`);
  return value;
};

const listRoutes = (routes: readonly RouteConfig[]): readonly RouteConfig[] =>
  routes.filter(({ path, operation }) => operation !== 'models' && !path.includes('{model}'));

/** Reads `{ key, organization?, project?, path, body }`. */
const readRequest = (given: unknown, routes: readonly RouteConfig[]): TryRequest => {
  if (!isObject(given))
    throw invalidRequest('', 'The body must be an object: {"key":"…","path":"/v1/chat/completions","body":{…}}.');
  refuseUnknown(given, MEMBERS);
  const path = requireName(given, 'path');
  const paths = listRoutes(routes).map((route) => route.path);
  if (!paths.includes(path)) throw invalidRequest('path', `path must be a route for JSON: ${listSome(paths, ' or ')}.`);
  const { body } = given;
  if (!isObject(body))
    throw invalidRequest('body', 'body must be the JSON object that a client would send to the route.');
  const where = omitUndefined({ organization: readName(given, 'organization'), project: readName(given, 'project') });
  return { key: requireName(given, 'key'), ...where, path, body };
};

/**
 * Who may use which key. Everybody may use the own ones. Editors make keys, so they may use those of the database that
 * belong to no person, and admins those of the file too. No person may spend in the name of another one.
 */
const checkUse = ({ id, role }: AdminActor, { caller, origin, ownerId }: PlaygroundKey): void => {
  if (ownerId !== undefined && ownerId === id) return;
  const refuse = (message: string): GatewayError => new GatewayError('permission_denied', message, { param: 'key' });
  if (caller.user !== undefined)
    throw refuse('This key belongs to another person, whose requests would be yours. Use a key of your own.');
  if (origin === 'plugin')
    throw refuse('A token or a key service names this caller: its rights are known only with its token.');
  if (origin === 'configuration' && !covers(role, 'admin'))
    throw refuse('A key of the configuration can be tried with the role admin. Create one in the database.');
};

const ownKeys = async ({ actor }: AdminRequest, parts: PlaygroundParts): Promise<readonly ListedKey[]> => {
  const { id } = actor;
  if (id === undefined) return [];
  const isValid = ({ disabled, expiresAt }: ListedKey): boolean =>
    !disabled && (expiresAt === undefined || Date.parse(expiresAt) > parts.now());
  return (await parts.listOwn({ id })).filter(isValid);
};

const findUsable = async (request: AdminRequest, parts: PlaygroundParts, wanted: TryRequest): Promise<Caller> => {
  const { actor } = request;
  const { key, organization, project } = wanted;
  // Without the role of an editor, the names of keys of others are not revealed either.
  if (!covers(actor.role, 'editor') && !(await ownKeys(request, parts)).some(({ id }) => id === key))
    throw new GatewayError(
      'permission_denied',
      `With the role ${actor.role} you can try keys of your own: GET /admin/playground lists them by id. ` +
        'Make one on the page My keys.',
      { param: 'key' },
    );
  const found = await parts.findKey(omitUndefined({ key, organization, project }));
  checkUse(actor, found);
  // The page shows what the request has cost.
  return { ...found.caller, costHeaders: 'on' };
};

const describe = async (request: AdminRequest, parts: PlaygroundParts): Promise<AdminReply> => {
  const keys = (await ownKeys(request, parts)).map(({ id, name, organization, project, models: patterns }) => {
    const models = parts.models.filter((model) => patterns.length === 0 || allowsModel(patterns, model));
    return { id, name, organization, project, models };
  });
  const others = covers(request.actor.role, 'editor');
  const routes = listRoutes(parts.routes).map(({ path, wire, operation }) => ({ path, wire, operation }));
  return { body: { keys, others, models: others || keys.length > 0 ? parts.models : [], routes } };
};

const send = async (request: AdminRequest, parts: PlaygroundParts): Promise<AdminReply> => {
  const wanted = readRequest(request.body, parts.routes);
  const caller = await findUsable(request, parts, wanted);
  const response = await parts.send(caller, wanted.path, JSON.stringify(wanted.body));
  const headers = Object.fromEntries(
    PASSED.flatMap((name) => (response.headers[name] === undefined ? [] : [[name, String(response.headers[name])]])),
  );
  const target = `${caller.organization}/${caller.project}/${caller.key}`;
  const { model } = wanted.body;
  return {
    ...(response.statusCode === undefined ? {} : { status: response.statusCode }),
    headers,
    body: response,
    audit: {
      target,
      after: omitUndefined({
        path: wanted.path,
        model: typeof model === 'string' ? model.slice(0, 128) : undefined,
        request: headers['x-request-id'],
      }),
    },
  };
};

/** Adds the calls under /admin/playground: docs/operate/dashboard.md. */
export function addPlaygroundCalls(router: AdminRouter, parts: PlaygroundParts): void {
  router.get('/admin/playground', (request) => describe(request, parts), playgroundCalls.describe);
  router.post('/admin/playground', (request) => send(request, parts), playgroundCalls.send);
}
