import type { Exchange } from '../contracts/exchange.ts';
import type { Admission, PluginInstance } from '../contracts/plugin.ts';

type AdmitHook = NonNullable<PluginInstance['admit']>;

/** @returns a promise only if a plugin returns one */
export type Admit = (exchange: Exchange, admitted: Admission[]) => Promise<void> | undefined;

/** Calls the `admit` hook of every plugin in YAML order; a throw refuses the exchange. */
export function composeAdmit(plugins: readonly PluginInstance[]): Admit {
  const hooks: readonly AdmitHook[] = plugins.flatMap((plugin) => plugin.admit?.bind(plugin) ?? []);
  const admitFrom = (first: number, exchange: Exchange, admitted: Admission[]): Promise<void> | undefined => {
    for (let index = first; index < hooks.length; index += 1) {
      const answer = hooks[index]?.(exchange);
      if (answer instanceof Promise) {
        return answer.then((admission) => {
          if (admission !== undefined) admitted.push(admission);
          return admitFrom(index + 1, exchange, admitted);
        });
      }
      if (answer !== undefined) admitted.push(answer);
    }
    return undefined;
  };
  return (exchange, admitted) => admitFrom(0, exchange, admitted);
}
