import type { AdminReply, AdminRole } from '../../contracts/admin.ts';

/** A page for people. */
export interface AdminPage {
  readonly path: string;
  readonly title: string;
  /** The core or the plugin that adds it. */
  readonly owner: string;
  /** The least role that may open it. */
  readonly role: AdminRole;
}

/** Default headers: a page can load its own files only, from this listener only. */
const defaults = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
};

export const describePage = (reply: AdminReply): AdminReply => ({
  ...reply,
  headers: { ...defaults, ...reply.headers },
});
