import { isObject } from '../../canonical/json/members.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Draft, Exchange, RequestHead, Rewrite } from '../../contracts/exchange.ts';
import type { Admission, CacheAccount, Charge } from '../../contracts/outcome.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { checkRewrite } from '../rewrite.ts';
import { createOutcome } from '../../outcome/outcome.ts';
import {
  anyResult,
  callHook,
  callNow,
  describeValue,
  watchHook,
  type HookOf,
  type HookParts,
  type HookRules,
} from './hook.ts';
import { checkAdmission, watchAdmission, WatchedAdmission } from './watched-admission.ts';
import type { Answer, Order, RankedTarget } from '../../contracts/attempt.ts';

const isCaller = (result: unknown): boolean =>
  isObject(result) &&
  typeof result['key'] === 'string' &&
  typeof result['project'] === 'string' &&
  typeof result['organization'] === 'string' &&
  Array.isArray(result['models']);

const callerRules: HookRules<RequestHead, Caller | undefined> = {
  check: (result) =>
    result === undefined || isCaller(result) ? undefined : `${describeValue(result)}, not a caller or undefined`,
};

/** A plugin that fails and is skipped counts as one that does not recognize the caller. */
export function watchIdentify(identify: HookOf<'identify'>, parts: HookParts): HookOf<'identify'> {
  const watch = watchHook(parts, 'identify');
  return (head) => callHook(watch, callerRules, identify, head, undefined, head.id);
}

/** Settles an admission that was returned after the request had continued without it. */
const settleLate = (admission: WatchedAdmission, exchange: Exchange | undefined, lateAfter: number): void => {
  const error = new GatewayError('internal_error', 'The admission was returned after its time limit.');
  const times = { total: lateAfter, own: lateAfter };
  void admission.settle(
    createOutcome({
      exchange,
      status: error.status,
      endedAt: Date.now(),
      attempts: [],
      ending: undefined,
      error,
      times,
    }),
  );
};

/** A plugin that fails and is skipped has admitted nothing. A late admission is settled at once. */
export function watchAdmit(admit: HookOf<'admit'>, parts: HookParts): HookOf<'admit'> {
  const [watch, settling] = [watchHook(parts, 'admit'), watchHook(parts, 'settle', 'skip')];
  const rules: HookRules<Exchange, Admission | undefined> = {
    check: checkAdmission,
    late: (admission, exchange) => {
      if (admission === undefined || checkAdmission(admission) !== undefined) return;
      settleLate(new WatchedAdmission(parts.plugin, admission, settling, exchange.id), exchange, watch.timeout);
    },
  };
  const watchResult = (admission: Admission | undefined, id: string): Admission | undefined =>
    admission && watchAdmission(parts.plugin, admission, settling, id);
  return (exchange) => {
    const result = callHook(watch, rules, admit, exchange, undefined, exchange.id);
    return result instanceof Promise
      ? result.then((admission) => watchResult(admission, exchange.id))
      : watchResult(result, exchange.id);
  };
}

/** Nothing can be refused any more: a plugin that fails has reserved nothing. */
export function watchResume(resume: HookOf<'resume'>, parts: HookParts): HookOf<'resume'> {
  const [watch, settling] = [watchHook(parts, 'resume', 'skip'), watchHook(parts, 'settle', 'skip')];
  const rules: HookRules<Exchange, Admission | undefined> = { check: checkAdmission };
  return async (exchange, openedAt) => {
    const admission = await callHook(watch, rules, resume, exchange, openedAt, exchange.id);
    return admission && new WatchedAdmission(parts.plugin, admission, settling, exchange.id);
  };
}

/** The same for a request that is not an exchange. */
export function watchAdmitDirect(admitDirect: HookOf<'admitDirect'>, parts: HookParts): HookOf<'admitDirect'> {
  const [watch, settling] = [watchHook(parts, 'admitDirect'), watchHook(parts, 'settle', 'skip')];
  const rules: HookRules<RequestHead, Admission | undefined> = {
    check: checkAdmission,
    late: (admission, { id }) => {
      if (admission === undefined || checkAdmission(admission) !== undefined) return;
      settleLate(new WatchedAdmission(parts.plugin, admission, settling, id), undefined, watch.timeout);
    },
  };
  return async (head, caller) => {
    const admission = await callHook(watch, rules, admitDirect, head, caller, head.id);
    return admission && new WatchedAdmission(parts.plugin, admission, settling, head.id);
  };
}

/** A plugin that fails and is skipped has neither refused nor admitted anything. */
export function watchEnter(enter: HookOf<'enter'>, parts: HookParts): HookOf<'enter'> {
  const [watch, settling] = [watchHook(parts, 'enter'), watchHook(parts, 'settle', 'skip')];
  return (head, caller) => {
    const admission = callNow(watch, checkAdmission, enter, head, caller, head.id);
    return admission && new WatchedAdmission(parts.plugin, admission, settling, head.id);
  };
}

/** A plugin that fails and is skipped has changed nothing. */
export function watchRewrite(rewrite: HookOf<'rewrite'>, parts: HookParts): HookOf<'rewrite'> {
  const watch = watchHook(parts, 'rewrite');
  return (draft) => {
    const rules: HookRules<Draft, Rewrite | undefined> = { check: (result) => checkRewrite(result, draft) };
    return callHook(watch, rules, rewrite, draft, undefined, draft.id);
  };
}

const isAccount = (result: unknown): boolean =>
  isObject(result) && typeof result['saved'] === 'bigint' && typeof result['lost'] === 'bigint';

/** Boxes the result, so that a promise is rejected by the check instead of being awaited. */
interface Boxed {
  readonly result: CacheAccount | undefined;
}
const accountRules: HookRules<Exchange, Boxed> = {
  check: ({ result }) =>
    result === undefined || isAccount(result) ? undefined : `${describeValue(result)}, not an account of the cache`,
};

/** The outcome does not wait for a promise. If the hook fails, the outcome has no cache account. */
export function watchAccount(account: HookOf<'account'>, parts: HookParts): HookOf<'account'> {
  const watch = watchHook(parts, 'account', 'skip');
  const box = (exchange: Exchange, charges: readonly Charge[]): Boxed => ({ result: account(exchange, charges) });
  return (exchange, charges) => {
    const boxed = callHook(watch, accountRules, box, exchange, charges, exchange.id);
    return boxed instanceof Promise ? undefined : boxed?.result;
  };
}

/** The attempt is over: nothing waits for an observer. */
export function watchObserve(observe: HookOf<'observe'>, parts: HookParts): HookOf<'observe'> {
  const watch = watchHook(parts, 'observe', 'skip');
  return (exchange, attempt) => void callHook(watch, anyResult, observe, exchange, attempt, exchange.id);
}

export function watchResponseHeaders(hook: HookOf<'onResponseHeaders'>, parts: HookParts): HookOf<'onResponseHeaders'> {
  const watch = watchHook(parts, 'onResponseHeaders', 'skip');
  return (attempt, status, headers) => {
    const read = (): void => hook(attempt, status, headers);
    void callHook(watch, anyResult, read, undefined, undefined, attempt.exchange.id);
  };
}

export function watchEnded(ended: HookOf<'ended'>, parts: HookParts): HookOf<'ended'> {
  const watch = watchHook(parts, 'ended', 'skip');
  return (request) => void callHook(watch, anyResult, ended, request, undefined, request.head.id);
}

export function watchExplain(explain: HookOf<'explain'>, parts: HookParts): HookOf<'explain'> {
  const watch = watchHook(parts, 'explain', 'fail');
  return (exchange, order) => callHook(watch, anyResult, explain, exchange, order);
}

const checkAnswer = (result: Answer | undefined, { targets }: Exchange): string | undefined => {
  if (result === undefined) return undefined;
  if (!isObject(result)) return `${describeValue(result)}, not an answer or undefined`;
  const { target, losses, contentType, body, headers } = result as Partial<Record<keyof Answer, unknown>>;
  if (!targets.some((each) => each === target)) return 'an answer whose target is none of the exchange';
  if (!Array.isArray(losses)) return `an answer whose losses are ${describeValue(losses)}`;
  if (typeof contentType !== 'string') return `an answer whose contentType is ${describeValue(contentType)}`;
  if (headers !== undefined && !isObject(headers)) return `an answer whose headers are ${describeValue(headers)}`;
  return typeof body === 'string' || body instanceof Uint8Array
    ? undefined
    : `an answer whose body is ${describeValue(body)}`;
};

/** A plugin that fails and is skipped has no answer. */
export function watchAnswer(answer: HookOf<'answer'>, parts: HookParts): HookOf<'answer'> {
  const watch = watchHook(parts, 'answer');
  return (exchange) => {
    const rules: HookRules<Exchange, Answer | undefined> = { check: (result) => checkAnswer(result, exchange) };
    return callHook(watch, rules, answer, exchange, undefined, exchange.id);
  };
}

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
