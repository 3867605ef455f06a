import type { Order, RankedTarget } from '../../contracts/attempt.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import { callHook, describeValue, watchHook, type HookParts, type HookRules } from './hook.ts';

/** What is wrong with an order, to complete `it returned …`; undefined: nothing. */
const checkOrder = (order: unknown, targets: readonly RankedTarget[]): string | undefined => {
  if (order instanceof Promise) order.catch(() => {});
  if (!Array.isArray(order)) return `${describeValue(order)}, not a list of targets`;
  return order.every((target: RankedTarget) => targets.includes(target))
    ? undefined
    : 'a list with something that is not one of its targets';
};

/** A plugin that fails and is skipped leaves the order as it was. */
export function watchOrder(order: Order, parts: HookParts): Order {
  const watch = watchHook(parts, 'order');
  const call = (exchange: Exchange, targets: readonly RankedTarget[]): readonly (readonly RankedTarget[])[] => [
    order(exchange, targets),
  ];
  return (exchange, targets) => {
    const rules: HookRules<Exchange, readonly (readonly RankedTarget[])[]> = {
      check: ([result]) => checkOrder(result, targets),
    };
    // In a list, a promise is a wrong value: the hook is synchronous.
    const ordered = callHook(watch, rules, call, exchange, targets, exchange.id);
    return (ordered instanceof Promise ? undefined : ordered?.[0]) ?? targets;
  };
}
