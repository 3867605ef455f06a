import type { Ended } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';

/** Told of every request that is over, once. */
export type TellEnded = (ended: Ended) => void;

export const composeEnded = (plugins: readonly PluginInstance[]): TellEnded => {
  const listeners = plugins.flatMap((plugin) => (plugin.ended === undefined ? [] : [plugin.ended.bind(plugin)]));
  return (ended) => {
    for (const listen of listeners) listen(ended);
  };
};
