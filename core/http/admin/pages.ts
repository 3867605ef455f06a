import type { AdminReply } from '../../contracts/admin.ts';

/** A page that people may want to go to. */
export interface AdminPage {
  readonly path: string;
  readonly title: string;
  /** Who brings it. */
  readonly owner: string;
}

/** What stands in for what the page itself does not say: its own files alone, from this listener alone. */
const defaults = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
};

export const describePage = (reply: AdminReply): AdminReply => ({
  ...reply,
  headers: { ...defaults, ...reply.headers },
});
