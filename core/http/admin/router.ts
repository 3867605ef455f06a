import type { Context, Middleware } from 'koa';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { AdminHandler, AdminRouter, CallDescription } from '../../contracts/admin.ts';
import type { Log } from '../../contracts/services.ts';
import { GatewayError, invalidRequest, toGatewayError } from '../../errors/gateway-error.ts';
import { queryOf, readHeaders } from '../request/request-head.ts';
import { writeReply } from '../response/write-reply.ts';
import type { RecordCall } from './audit/record-call.ts';
import { hasBody, readJson } from './body.ts';
import { readActor } from './access-check.ts';
import type { AdminCall } from './openapi.ts';
import { describeOutage } from './outage.ts';
import { describePage, describePanel, type AdminPage, type AdminPanel } from './pages.ts';
import { checkRole, leastRole } from './roles.ts';
import { createRouter } from '../koa-router.ts';

/** `{name}` matches one segment. All other characters are literal. */
const compilePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}|[:*?+(){}[\]!\\]/g, (found, name?: string) =>
    name === undefined ? `\\${found}` : `:${name}`,
  );
/** The path without the names of its parameters: two paths of one shape match the same requests. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}').toLowerCase();

/** Health is served before the access check, so a call with one of these paths would never be reached. */
const health: readonly (readonly [call: string, owner: string])[] = ['/livez', '/readyz', '/startupz'].map((path) => [
  `GET ${path}`,
  'the health of the core',
]);

/** Postgres has no text with this character. */
const refuseNull = (parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  for (const [name, text] of Object.entries(parameters))
    if (text.includes('\0')) throw invalidRequest(name, `${name} has the character U+0000 (%00). Remove it.`);
  return parameters;
};

/** An empty value of a known parameter would select only what has no name, which is nothing: it is refused. */
const readParameters = (context: Context, { query: known = {} }: CallDescription): Readonly<Record<string, string>> => {
  const query = queryOf(context.url);
  const empty = Object.keys(known).find((name) => query[name] === '');
  if (empty !== undefined)
    throw invalidRequest(empty, `${empty} is empty. Give it a value, or leave it out. ${known[empty] ?? ''}`);
  return refuseNull(query);
};

/**
 * The calls of the admin listener. Each call that can change something is recorded, even if it is refused, and so is
 * each one that is refused by role. The record has the declared path, since an actual one could contain a secret by
 * mistake.
 */
export class AdminRoutes {
  readonly middleware: Middleware;
  readonly allowedMethods: Middleware;
  /** The calls that were added so far, pages included. */
  readonly calls: AdminCall[] = [];
  readonly pages: AdminPage[] = [];
  readonly panels: AdminPanel[] = [];
  readonly #router = createRouter();
  readonly #owners = new Map(health);
  readonly #log: Log;
  readonly #record: RecordCall;

  constructor(log: Log, record: RecordCall) {
    this.#log = log;
    this.#record = record;
    this.middleware = this.#router.routes() as Middleware;
    this.allowedMethods = this.#router.allowedMethods() as Middleware;
  }

  /** The router of one owner. It throws `KOINE_EXTENSION_DUPLICATE` if a path is taken. */
  readonly routerOf = (owner: string): AdminRouter => ({
    get: (path, handle, description) => this.#add('get', owner, path, handle, description),
    post: (path, handle, description) => this.#add('post', owner, path, handle, description),
    patch: (path, handle, description) => this.#add('patch', owner, path, handle, description),
    delete: (path, handle, description) => this.#add('delete', owner, path, handle, description),
    page: (path, title, handle, role = 'viewer') => {
      this.#add('get', owner, path, async (request) => describePage(await handle(request)), {
        summary: `A page for people: ${title}.`,
        role,
        type: 'text/html',
      });
      this.pages.push({ path, title, owner, role });
    },
    panel: (path, { page, title, role = 'viewer' }, read) => {
      const summary = `The content of a panel of the dashboard: ${title}.`;
      this.#add('get', owner, path, async (request) => describePanel(await read(request), owner), { summary, role });
      this.panels.push({ path, title, owner, role, page });
    },
  });

  #add(
    method: AdminCall['method'],
    owner: string,
    path: string,
    handle: AdminHandler,
    description?: CallDescription,
  ): void {
    const call = `${method.toUpperCase()} ${path}`;
    const shape = `${method.toUpperCase()} ${shapeOf(path)}`;
    const taken = this.#owners.get(shape);
    if (taken !== undefined)
      throw new GatewayError(
        'KOINE_EXTENSION_DUPLICATE',
        `${owner} adds ${call} to the admin listener, but ${taken} has added it already.`,
      );
    this.#owners.set(shape, owner);
    this.calls.push(omitUndefined({ method, path, owner, description }));
    this.#router[method](compilePath(path), (context: Context) =>
      this.#serve(context, handle, call, description ?? { summary: '' }),
    );
  }

  async #serve(context: Context, handle: AdminHandler, call: string, description: CallDescription): Promise<void> {
    const actor = readActor(context);
    const [declared = ''] = call.split(' ', 1);
    const least = leastRole(declared, description);
    const mayChange = declared !== 'GET' && least !== 'viewer';
    try {
      checkRole(actor, least);
      const body = hasBody(context) ? await readJson(context) : undefined;
      const reply = await handle({
        actor,
        params: refuseNull({ ...(context.params as Record<string, string>) }),
        query: readParameters(context, description),
        headers: readHeaders(context.req.headers),
        body,
      });
      if (mayChange) await this.#record(context, actor, call, { status: reply.status ?? 200, ...reply.audit });
      writeReply(context, reply);
    } catch (thrown) {
      const error = describeOutage(toGatewayError(thrown), this.#log);
      if (mayChange || error.code === 'permission_denied')
        await this.#record(context, actor, call, { status: error.status, code: error.code });
      throw error;
    }
  }
}
