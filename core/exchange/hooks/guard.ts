import { isObject } from '../../canonical/json/members.ts';
import type { Guard, GuardVerdict } from '../../contracts/attempt.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, describeValue, watchHook, type HookParts, type HookRules, type HookWatch } from './hook.ts';

type GuardHook = NonNullable<PluginInstance['guard']>;

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

/** Calls a synchronous hook. @returns undefined where the hook failed and is skipped */
function callNow<T>(
  watch: HookWatch,
  requestId: string,
  call: () => T,
  check: (result: T) => string | undefined,
): T | undefined {
  const since = watch.begin();
  try {
    const result = call();
    if (result instanceof Promise) result.catch(() => {});
    const wrong = result instanceof Promise ? 'a promise, but this hook must return synchronously' : check(result);
    if (wrong !== undefined) throw watch.wrong(wrong);
    return result;
  } catch (thrown) {
    const refusal = watch.judge(thrown, requestId);
    if (refusal !== undefined) throw refusal;
    return undefined;
  } finally {
    watch.time(since);
  }
}

/** A guard that fails and is skipped lets the text pass. */
export function watchGuard(hook: GuardHook, parts: HookParts): GuardHook {
  const watch = watchHook(parts, 'guard');
  return (exchange) => {
    const { id } = exchange;
    const guard = callNow(watch, id, () => hook(exchange), checkGuard);
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
