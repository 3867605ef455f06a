import { isObject } from '../../canonical/json/members.ts';
import type { Guard, GuardVerdict } from '../../contracts/attempt.ts';
import { callHook, callNow, describeValue, watchHook, type HookOf, type HookParts, type HookRules } from './hook.ts';

const checkGuard = (result: Guard | undefined): string | undefined => {
  if (result === undefined) return undefined;
  const { window, inspect } = isObject(result) ? (result as Partial<Record<keyof Guard, unknown>>) : {};
  if (typeof inspect !== 'function') return `${describeValue(result)}, not a guard or undefined`;
  const isLength = Number.isInteger(window) || window === Number.POSITIVE_INFINITY;
  return isLength && Number(window) >= 0 ? undefined : 'a guard whose window is not a number of characters';
};

const checkVerdict = (verdict: GuardVerdict): string | undefined => {
  if (verdict === 'pass') return undefined;
  const given: unknown = verdict;
  const { replace, refuse, hold } = isObject(given) ? given : {};
  const isHold = typeof hold === 'number' && hold >= 0;
  const isChange = typeof replace === 'string' ? hold === undefined || isHold : replace === undefined && isHold;
  return isChange || (typeof refuse === 'string' && refuse !== '')
    ? undefined
    : `${describeValue(verdict)}, not 'pass', a replacement, a hold or a refusal`;
};

const verdictRules: HookRules<string, GuardVerdict> = { check: checkVerdict };

/** A guard that fails and is skipped lets the text pass. */
export function watchGuard(hook: HookOf<'guard'>, parts: HookParts): HookOf<'guard'> {
  const watch = watchHook(parts, 'guard');
  return (exchange) => {
    const { id } = exchange;
    const guard = callNow(watch, checkGuard, hook, exchange, undefined, id);
    if (guard === undefined) return undefined;
    const inspect: Guard['inspect'] = (text, content) => guard.inspect(text, content);
    return {
      window: guard.window,
      inspect: (text, content) => {
        const verdict = callHook(watch, verdictRules, inspect, text, content, id);
        return verdict instanceof Promise ? verdict.then((settled) => settled ?? 'pass') : (verdict ?? 'pass');
      },
    };
  };
}
