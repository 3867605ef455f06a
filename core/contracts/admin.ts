import type { Headers } from '../canonical/wire.ts';

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
export type AdminAnswer = (request: AdminRequest) => AdminReply | Promise<AdminReply>;

/** Pages and calls of the admin listener. A path may hold `{name}` for one segment. */
export interface AdminRouter {
  get(path: string, answer: AdminAnswer): void;
  post(path: string, answer: AdminAnswer): void;
  delete(path: string, answer: AdminAnswer): void;
  /**
   * A page for people, as text of HTML. It stands in the navigation of the dashboard, by its title. Unless its headers say otherwise it may use files
   * and calls of this listener only, and no script or style within the page itself (`content-security-policy`).
   */
  page(path: string, title: string, answer: AdminAnswer): void;
}
