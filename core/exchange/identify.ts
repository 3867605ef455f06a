import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { GatewayError } from '../errors.ts';

export type Identify = (head: RequestHead) => Caller | Promise<Caller>;

const refuse = (): never => {
  throw new GatewayError('invalid_api_key');
};

/**
 * Who calls: the first plugin that knows wins, in YAML order. Nobody knows: 401.
 * Answers without a promise when the plugins do.
 */
export const composeIdentify = (plugins: readonly PluginInstance[]): Identify => {
  const askers = plugins.flatMap((plugin) => (plugin.identify === undefined ? [] : [plugin.identify.bind(plugin)]));
  const ask = (head: RequestHead, from: number): Caller | Promise<Caller> => {
    for (let index = from; index < askers.length; index += 1) {
      const answer = askers[index]?.(head);
      if (answer instanceof Promise) return answer.then((caller) => caller ?? ask(head, index + 1));
      if (answer !== undefined) return answer;
    }
    return refuse();
  };
  return (head) => ask(head, 0);
};
