import { keyHeaders } from '../canonical/text/key-headers.ts';
import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import type { Admission } from '../contracts/outcome.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * A request that the gateway sends to itself for a person has a grant, which names its caller once. It is kept from
 * upstreams as all headers are that are not listed.
 */
export const GRANT_HEADER = 'x-koine-grant';
const GRANT = /^[0-9a-f]{64}$/;

/** The caller of a grant; null for one that is unknown. */
export type RedeemGrant = (grant: string) => Caller | null | Promise<Caller | null>;

export type Identify = (head: RequestHead) => Caller | Promise<Caller>;

/** Whether the request has no key at all: SDKs whose variable is not set send an empty one. */
const hasNoKey = ({ headers, query }: RequestHead): boolean =>
  /^(?:bearer *)?$/i.test(headers['authorization'] ?? '') &&
  keyHeaders.every((name) => (headers[name] ?? '') === '') &&
  (query['key'] ?? '') === '';

const refuse = (head: RequestHead): GatewayError =>
  hasNoKey(head)
    ? new GatewayError(
        'invalid_api_key',
        'No API key: the request has none, or an empty one. Send it as "Authorization: Bearer KEY"; a variable of ' +
          'the client may not be set.',
      )
    : new GatewayError('invalid_api_key');

/**
 * Identifies the caller: the first plugin in YAML order that recognizes it wins. Throws a 401 if none does. Returns a
 * promise only if a plugin returns one, or for a grant.
 */
export function composeIdentify(plugins: readonly PluginInstance[], redeem?: RedeemGrant): Identify {
  const hooks = plugins.flatMap((plugin) => (plugin.identify === undefined ? [] : [plugin.identify.bind(plugin)]));
  const identify = (head: RequestHead, from: number): Caller | Promise<Caller> => {
    for (let index = from; index < hooks.length; index += 1) {
      const answer = hooks[index]?.(head);
      if (answer instanceof Promise) return answer.then((caller) => caller ?? identify(head, index + 1));
      if (answer !== undefined) return answer;
    }
    throw refuse(head);
  };
  if (redeem === undefined) return (head) => identify(head, 0);
  return (head) => {
    const grant = head.headers[GRANT_HEADER];
    if (grant === undefined || !GRANT.test(grant)) return identify(head, 0);
    const redeemed = redeem(grant);
    if (redeemed instanceof Promise) return redeemed.then((caller) => caller ?? identify(head, 0));
    return redeemed ?? identify(head, 0);
  };
}

/** The query without the API key that it can contain. Once the caller is known, no inner layer sees the key. */
export function withoutKey(query: RequestHead['query']): RequestHead['query'] {
  if (query['key'] === undefined) return query;
  const { key: _key, ...rest } = query;
  return rest;
}

export type Enter = (head: RequestHead, caller: Caller, admitted: Admission[]) => void;

/** Calls the `enter` hook of every plugin in YAML order; a throw refuses the request before its body is read. */
export function composeEnter(plugins: readonly PluginInstance[]): Enter {
  const hooks = plugins.flatMap((plugin) => (plugin.enter === undefined ? [] : [plugin.enter.bind(plugin)]));
  return (head, caller, admitted) => {
    for (const enter of hooks) {
      const admission = enter(head, caller);
      if (admission !== undefined) admitted.push(admission);
    }
  };
}
