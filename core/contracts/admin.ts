import type { Headers, JsonObject } from '../canonical/wire.ts';

/** A request to the admin listener that has passed its guard. */
export interface AdminRequest {
  readonly params: Headers;
  readonly query: Headers;
  /** Parsed JSON; undefined for GET. */
  readonly body: unknown;
  readonly headers: Headers;
}

export interface AdminReply {
  readonly status?: number;
  readonly headers?: Headers;
  /** Text goes out as it is, with the content-type of `headers`; everything else as JSON. */
  readonly body: unknown;
  /** What the audit line of a state-changing call says besides who called and what: ids and fingerprints, never a secret. */
  readonly audit?: Readonly<Record<string, string>>;
}

/** @throws GatewayError, which becomes the answer */
export type AdminHandler = (request: AdminRequest) => AdminReply | Promise<AdminReply>;

/** How a call stands in the description of the API, `GET /admin/openapi.json`. Schemas are JSON Schema, as OpenAPI 3.1 has them. */
export interface CallDescription {
  /** One sentence. */
  readonly summary: string;
  /** Parameters of the query by their names, each with what it is for. */
  readonly query?: Readonly<Record<string, string>>;
  /** The request takes `If-Match`. */
  readonly conditional?: boolean;
  /** Of the JSON that is sent. */
  readonly body?: JsonObject;
  /** Of a good answer; default 200. */
  readonly status?: number;
  /** Of the JSON that is answered. */
  readonly answer?: JsonObject;
  /** Content-type of an answer that is no JSON. */
  readonly type?: string;
}

/** Pages and calls of the admin listener. A path may hold `{name}` for one segment. */
export interface AdminRouter {
  get(path: string, answer: AdminHandler, description?: CallDescription): void;
  post(path: string, answer: AdminHandler, description?: CallDescription): void;
  delete(path: string, answer: AdminHandler, description?: CallDescription): void;
  /**
   * A page for people, as text of HTML. It stands in the navigation of the dashboard, by its title. Unless its headers say otherwise it may use files
   * and calls of this listener only, and no script or style within the page itself (`content-security-policy`).
   */
  page(path: string, title: string, answer: AdminHandler): void;
}
