import type { Headers, JsonObject } from '../canonical/wire.ts';
import type { Caller } from './caller.ts';

/**
 * What a person may do. A developer manages personal keys only, a viewer looks at everything that is not secret, an
 * editor also manages keys, an admin does everything.
 */
export type AdminRole = 'developer' | 'viewer' | 'editor' | 'admin';

/** The person or program that sends an admin request. */
export interface AdminActor {
  /** The name of the signed-in user; `token` for the admin token; `loopback` if the listener requires none. */
  readonly name: string;
  readonly role: AdminRole;
  /** Issuer and subject of a signed-in person, which never change; absent for the token and for loopback. */
  readonly id?: string;
  /** The projects in which the person can make keys, as `organization/project`. They are read at the sign-in. */
  readonly projects?: readonly string[];
  /** The groups of the directory (`admin.scim`) that gave role or projects at the sign-in, sorted. */
  readonly groups?: readonly string[];
  /** The session with which the person calls, as `GET /admin/me/sessions` lists it; it is no secret. */
  readonly session?: string;
}

/** A request to the admin listener, after its authentication and origin checks and the check of the role. */
export interface AdminRequest {
  readonly actor: AdminActor;
  /** Values of the `{name}` segments of the path. */
  readonly params: Headers;
  readonly query: Headers;
  /** The parsed JSON body of a POST or PATCH; otherwise undefined. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** The response of an admin or endpoint handler. */
export interface AdminReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Headers;
  /** A string or a stream is sent unchanged, with the content-type of `headers`. Everything else is sent as JSON. */
  readonly body: unknown;
  /** The facts of a call that changes state. */
  readonly audit?: AuditFacts;
}

/**
 * What a call has changed, for its log line and its entry in `GET /admin/audit`: JSON, and never a secret. Further
 * members are added to the log line only.
 * @example { target: key.id, before: { disabled: false }, after: { disabled: true } }
 */
export interface AuditFacts {
  /** The id of what was changed. */
  readonly target?: string;
  /** The state before the change. The log line has text as it is, and a fingerprint of everything else. */
  readonly before?: unknown;
  /** The state after the change, in the same form. */
  readonly after?: unknown;
  readonly [fact: string]: unknown;
}

/** Handles one admin call. @throws GatewayError, which is sent as the error response */
export type AdminHandler = (request: AdminRequest) => AdminReply | Promise<AdminReply>;

/** The entry of a call in `GET /admin/openapi.json`. Schemas are JSON Schema, as in OpenAPI 3.1. */
export interface CallDescription {
  /** One sentence. */
  readonly summary: string;
  /**
   * The least role that may make the call. Default: `viewer` for GET, `admin` for others. A call that is declared for
   * `viewer` changes nothing.
   */
  readonly role?: AdminRole;
  /** Query parameters: name to description. */
  readonly query?: Readonly<Record<string, string>>;
  /** The call accepts `If-Match`. */
  readonly conditional?: boolean;
  /** Schema of the request body. */
  readonly body?: JsonObject;
  /** Status of a successful response; default 200. */
  readonly status?: number;
  /** Schema of the response body. */
  readonly answer?: JsonObject;
  /** Content-type of a response that is not JSON. */
  readonly type?: string;
}

/** What a panel shows, in the styles of the dashboard. Every text is shown as it is, never as HTML. */
export interface PanelContent {
  /** Single figures with their names, above everything else. `tone` colors the value. */
  readonly figures?: readonly {
    readonly name: string;
    readonly value: string;
    readonly note?: string;
    readonly tone?: 'good' | 'warn' | 'bad';
  }[];
  /** The first cell of a row names it. */
  readonly table?: {
    readonly columns: readonly { readonly title: string; readonly isNumber?: boolean }[];
    readonly rows: readonly (readonly string[])[];
  };
  /** A sentence, such as the reason why there is nothing to show. */
  readonly text?: string;
}

/** Where the dashboard shows a panel, and under which title. */
export interface PanelOptions {
  /** The name of the page in its address: `providers` of `#/providers`. Panels of unknown pages are on `overview`. */
  readonly page: string;
  readonly title: string;
  /** The least role that sees it; default `viewer`. */
  readonly role?: Exclude<AdminRole, 'developer'>;
}

/** Registers pages, panels and calls on the admin listener. A path can contain `{name}`, which matches one segment. */
export interface AdminRouter {
  /** @example router.get('/circuits', () => ({ body: { circuits: health.list() } }), { summary: 'Every circuit.' }) */
  get(path: string, handler: AdminHandler, description?: CallDescription): void;
  /** @example router.post('/circuits/{id}', ({ params }) => ({ body: circuits.open(params['id']) })) */
  post(path: string, handler: AdminHandler, description?: CallDescription): void;
  /** @example router.patch('/circuits/{id}', ({ params, body }) => ({ body: circuits.change(params['id'], body) })) */
  patch(path: string, handler: AdminHandler, description?: CallDescription): void;
  /** @example router.delete('/circuits/{id}', ({ params }) => ({ body: circuits.close(params['id']) })) */
  delete(path: string, handler: AdminHandler, description?: CallDescription): void;
  /**
   * An HTML page, linked from the navigation of the dashboard under `title`. Unless the handler sets its own
   * `content-security-policy`, the page can load files and call endpoints of this listener only, and cannot contain
   * inline scripts or styles.
   * @param role the least role that may open it; default `viewer`
   * @example router.page('/usage', 'Usage', () => ({ headers: { 'content-type': 'text/html' }, body: html }))
   */
  page(path: string, title: string, handler: AdminHandler, role?: AdminRole): void;
  /**
   * A panel below those of a page of the dashboard. It is a GET call as well, which returns the content as JSON.
   * @param read called every 15 seconds while the page is visible. What it throws is shown in the panel
   * @example
   * router.panel('/quota/panel', { page: 'providers', title: 'Quota' }, () => ({
   *   figures: [{ name: 'Left', value: '12 %' }],
   * }))
   */
  panel(
    path: string,
    options: PanelOptions,
    read: (request: AdminRequest) => PanelContent | Promise<PanelContent>,
  ): void;
}

/** A request to an endpoint of a plugin on the data listener. The caller is already authenticated. */
export interface EndpointRequest {
  readonly caller: Caller;
  /** Without the key, if the client sent it in the query. */
  readonly query: Headers;
  readonly headers: Headers;
}

/**
 * Registers endpoints of a plugin on the data listener. Requests without a valid key are refused before they get here.
 */
export interface EndpointRouter {
  /**
   * @param handler a GatewayError it throws is sent in the error format of the chat-completions wire
   * @example router.get('/usage', async ({ caller }) => ({ body: await usageOf(caller) }))
   */
  get(path: string, handler: (request: EndpointRequest) => AdminReply | Promise<AdminReply>): void;
}
