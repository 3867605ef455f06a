import type { Context } from 'koa';
import { isLoopback } from '../../config/loopback.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { hasBody } from './body.ts';

/** @returns the error that refuses a request, if any */
export type AdminCheck = (context: Context) => GatewayError | undefined;

/** A host and an optional port, without characters that parsers could read differently. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i;
const nameOf = (host: string): string | undefined =>
  HOST.exec(host)?.[1]
    ?.replace(/^\[|\]$/g, '')
    .toLowerCase();

/**
 * Prevents DNS rebinding: a site whose name resolves to 127.0.0.1 has the same origin as this listener, and only
 * the `Host` header shows the difference.
 * @param configured `admin.host`
 */
export const createHostCheck =
  (configured: string): AdminCheck =>
  (context) => {
    const name = nameOf(context.get('host'));
    if (name !== undefined && (isLoopback(name) || name === configured.toLowerCase())) return undefined;
    return new GatewayError(
      'permission_denied',
      'The admin listener has no token, so it accepts only a loopback name (localhost, 127.0.0.1) in the Host ' +
        'header. To reach it by another name, set admin.token.',
    );
  };

/** Refuses requests from pages of another origin. A page cannot change the `Origin` that the browser sends. */
export const checkOrigin: AdminCheck = (context) => {
  const origin = context.get('origin');
  if (origin === '' || (URL.canParse(origin) && new URL(origin).host === context.get('host').toLowerCase()))
    return undefined;
  return new GatewayError(
    'permission_denied',
    'The request comes from a page of another origin. The admin listener accepts requests of its own pages only; ' +
      'a proxy in front of it must keep the Host header.',
  );
};

/** Whether this is a link that a person follows. It changes nothing, and the linking page cannot read the response. */
const isFollowedLink = (context: Context): boolean =>
  context.method === 'GET' &&
  context.get('sec-fetch-mode') === 'navigate' &&
  context.get('sec-fetch-dest') === 'document';

/**
 * Refuses requests that a browser sends for a page of another origin, by `Sec-Fetch-Site`, which browsers send also
 * without `Origin`, and which pages cannot change. `same-site` is refused too: pages on another port of this host get
 * the session cookie. Programs other than browsers do not send the header.
 */
export const checkFetchSite: AdminCheck = (context) =>
  ['', 'same-origin', 'none'].includes(context.get('sec-fetch-site').toLowerCase()) || isFollowedLink(context)
    ? undefined
    : new GatewayError(
        'permission_denied',
        'A browser sent this request for a page of another origin (Sec-Fetch-Site). ' +
          'The admin listener accepts requests of its own pages only.',
      );

/** Refuses bodies that are not JSON. Pages can send forms to other sites without a preflight request, but not JSON. */
export const checkContentType: AdminCheck = (context) =>
  !hasBody(context) || /^application\/json\s*(?:;|$)/i.test(context.get('content-type'))
    ? undefined
    : new GatewayError(
        'unsupported_media_type',
        'Calls of the admin API are JSON; send content-type: application/json.',
      );

/** Requires a custom header, which a form cannot send, and a script of another site only after a preflight request. */
export const checkPageHeader: AdminCheck = (context) =>
  context.method === 'GET' || context.method === 'HEAD' || context.get('x-koine-page') !== ''
    ? undefined
    : new GatewayError(
        'permission_denied',
        'A page that changes something with its session must send the header x-koine-page: 1.',
      );
