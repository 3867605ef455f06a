import { isObject } from '../../canonical/json/members.ts';
import type { AdminReply, AdminRole, PanelContent } from '../../contracts/admin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

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

/** A panel on a page of the dashboard. */
export interface AdminPanel extends AdminPage {
  /** The name of the page. */
  readonly page: string;
}

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);
const isText = (value: unknown): boolean => typeof value === 'string';
const isFigure = (value: unknown): boolean => isObject(value) && isText(value['name']) && isText(value['value']);
const isColumn = (value: unknown): boolean => isObject(value) && isText(value['title']);
const isTable = (value: unknown): boolean =>
  isObject(value) && isListOf(value['columns'], isColumn) && isListOf(value['rows'], (row) => isListOf(row, isText));

/** @throws GatewayError if the dashboard could not show it */
export function describePanel(content: PanelContent, owner: string): AdminReply {
  const { figures, table, text }: Partial<Record<keyof PanelContent, unknown>> = isObject(content) ? content : {};
  const wrong = [
    ...(figures === undefined || isListOf(figures, isFigure) ? [] : ['figures']),
    ...(table === undefined || isTable(table) ? [] : ['table']),
    ...(text === undefined || isText(text) ? [] : ['text']),
  ];
  if (wrong.length > 0 || !isObject(content))
    throw new GatewayError(
      'internal_error',
      `${owner} returned a panel that cannot be shown: ${wrong[0] ?? 'the content'} is not as PanelContent says.`,
    );
  return { body: { figures, table, text } };
}
