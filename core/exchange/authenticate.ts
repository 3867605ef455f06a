import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import type { Admission, PluginInstance } from '../contracts/plugin.ts';
import { GatewayError } from '../errors/gateway-error.ts';

export type Identify = (head: RequestHead) => Caller | Promise<Caller>;

/**
 * Identifies the caller: the first plugin in YAML order that recognizes it wins. Throws a 401 if none does. Returns a
 * promise only if a plugin returns one.
 */
export function composeIdentify(plugins: readonly PluginInstance[]): Identify {
  const hooks = plugins.flatMap((plugin) => (plugin.identify === undefined ? [] : [plugin.identify.bind(plugin)]));
  const identify = (head: RequestHead, from: number): Caller | Promise<Caller> => {
    for (let index = from; index < hooks.length; index += 1) {
      const answer = hooks[index]?.(head);
      if (answer instanceof Promise) return answer.then((caller) => caller ?? identify(head, index + 1));
      if (answer !== undefined) return answer;
    }
    throw new GatewayError('invalid_api_key');
  };
  return (head) => identify(head, 0);
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
