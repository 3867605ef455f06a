import type { Context } from 'koa';
import { isLoopback } from '../../config/loopback.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What is wrong with a request, if anything is. */
export type AdminCheck = (context: Context) => GatewayError | undefined;

/** A host and a port, and nothing that two readers could take for different things. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i;
const nameOf = (host: string): string | undefined =>
  HOST.exec(host)?.[1]
    ?.replace(/^\[|\]$/g, '')
    .toLowerCase();

/**
 * A site can give its own name the address 127.0.0.1, and is then of one origin with this listener: only the `Host`
 * still tells (DNS rebinding).
 * @param configured `admin.host`
 */
export const createHostCheck =
  (configured: string): AdminCheck =>
  (context) => {
    const name = nameOf(context.get('host'));
    if (name !== undefined && (isLoopback(name) || name === configured.toLowerCase())) return undefined;
    return new GatewayError(
      'permission_denied',
      'The admin listener has no token, so it answers only to a loopback name (localhost, 127.0.0.1) in the Host header. To reach it by another name, set admin.token.',
    );
  };

/** A page of another site that calls from a browser says so, whatever it can forge besides. */
export const checkOrigin: AdminCheck = (context) => {
  const origin = context.get('origin');
  if (origin === '' || (URL.canParse(origin) && new URL(origin).host === context.get('host').toLowerCase()))
    return undefined;
  return new GatewayError(
    'permission_denied',
    'The request comes from a page of another origin. The admin listener answers its own pages only; a proxy in front must keep the Host header.',
  );
};

/**
 * A link that a person follows in a tab of its own: it changes nothing, and the page that has the link reads nothing of
 * the answer.
 */
const isFollowedLink = (context: Context): boolean =>
  context.method === 'GET' &&
  context.get('sec-fetch-mode') === 'navigate' &&
  context.get('sec-fetch-dest') === 'document';

/**
 * A browser says which site a request comes from, also where it sends no `Origin`, and pages cannot change that.
 * Another port of this host is the same site: its pages have the cookie of a session sent as well. Programs send no
 * such header.
 */
export const checkFetchSite: AdminCheck = (context) =>
  ['', 'same-origin', 'none'].includes(context.get('sec-fetch-site').toLowerCase()) || isFollowedLink(context)
    ? undefined
    : new GatewayError(
        'permission_denied',
        'A browser sent this request for a page of another origin (Sec-Fetch-Site). The admin listener answers its own pages only.',
      );

/** The content types that a page may send across sites without being asked are those of forms; JSON is none of them. */
export const checkContentType: AdminCheck = (context) =>
  context.method !== 'POST' || /^application\/json\s*(?:;|$)/i.test(context.get('content-type'))
    ? undefined
    : new GatewayError(
        'unsupported_media_type',
        'Calls of the admin API are JSON; send content-type: application/json.',
      );

/** A form of another site cannot send a header of its own, and a script of one is not let. */
export const checkPageHeader: AdminCheck = (context) =>
  context.method === 'GET' || context.method === 'HEAD' || context.get('x-koine-page') !== ''
    ? undefined
    : new GatewayError(
        'permission_denied',
        'A page that changes something by its session must send the header x-koine-page: 1.',
      );
