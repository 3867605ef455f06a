import type { Caller } from '../contracts/caller.ts';
import type { Exchange, Outcome, RequestHead } from '../contracts/exchange.ts';
import type { Admission, PluginInstance } from '../contracts/plugin.ts';
import type { Log } from '../contracts/services.ts';

/** What was admitted so far; filled while plugins are asked, so that a refusal by the third undoes the first two. */
export type Admissions = Admission[];

export type Enter = (head: RequestHead, caller: Caller, admitted: Admissions) => void;

/** Calls the `enter` hook of every plugin in YAML order; a throw refuses the request before its body is read. */
export const composeEnter = (plugins: readonly PluginInstance[]): Enter => {
  const hooks = plugins.flatMap((plugin) => (plugin.enter === undefined ? [] : [plugin.enter.bind(plugin)]));
  return (head, caller, admitted) => {
    for (const enter of hooks) {
      const admission = enter(head, caller);
      if (admission !== undefined) admitted.push(admission);
    }
  };
};

export type Admit = (exchange: Exchange, admitted: Admissions) => Promise<void> | undefined;

/** Asks every plugin in YAML order; a throw refuses the exchange. No promise when no plugin needs one. */
export const composeAdmit = (plugins: readonly PluginInstance[]): Admit => {
  const hooks = plugins.flatMap((plugin) => (plugin.admit === undefined ? [] : [plugin.admit.bind(plugin)]));
  if (hooks.length === 0) return () => undefined;
  return async (exchange, admitted) => {
    for (const admit of hooks) {
      const admission = await admit(exchange);
      if (admission !== undefined) admitted.push(admission);
    }
  };
};

/** Runs each settle once, concurrently, in the order of admission. One that fails harms no other and no client: it is logged. */
export const settleAll = async (admitted: Admissions, outcome: Outcome, log: Log): Promise<void> => {
  const settled = await Promise.allSettled(admitted.map(async (admission) => admission.settle?.(outcome)));
  for (const result of settled) if (result.status === 'rejected') log.error({ error: result.reason as unknown }, 'a plugin failed to settle');
};
