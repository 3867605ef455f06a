import { isObject } from '../../canonical/json/members.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Draft, Exchange, RequestHead, Rewrite as RewriteResult } from '../../contracts/exchange.ts';
import type { Admission, CacheAccount, Charge } from '../../contracts/outcome.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { checkRewrite } from '../rewrite.ts';
import { createOutcome } from '../../outcome/outcome.ts';
import { anyResult, callHook, describeValue, watchHook, type HookParts, type HookRules } from './hook.ts';
import { checkAdmission, watchAdmission, WatchedAdmission } from './watched-admission.ts';

type Identify = NonNullable<PluginInstance['identify']>;

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
export function watchIdentify(identify: Identify, parts: HookParts): Identify {
  const watch = watchHook(parts, 'identify');
  return (head) => callHook(watch, callerRules, identify, head, undefined, head.id);
}

type Admit = NonNullable<PluginInstance['admit']>;

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
export function watchAdmit(admit: Admit, parts: HookParts): Admit {
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

type Resume = NonNullable<PluginInstance['resume']>;

/** Nothing can be refused any more: a plugin that fails has reserved nothing. */
export function watchResume(resume: Resume, parts: HookParts): Resume {
  const [watch, settling] = [watchHook(parts, 'resume', 'skip'), watchHook(parts, 'settle', 'skip')];
  const rules: HookRules<Exchange, Admission | undefined> = { check: checkAdmission };
  return async (exchange, openedAt) => {
    const admission = await callHook(watch, rules, resume, exchange, openedAt, exchange.id);
    return admission && new WatchedAdmission(parts.plugin, admission, settling, exchange.id);
  };
}

type AdmitDirect = NonNullable<PluginInstance['admitDirect']>;

/** The same for a request that is not an exchange. */
export function watchAdmitDirect(admitDirect: AdmitDirect, parts: HookParts): AdmitDirect {
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

type Enter = NonNullable<PluginInstance['enter']>;

const checkEntry = (result: Admission | undefined): string | undefined => {
  if (!(result instanceof Promise)) return checkAdmission(result);
  result.catch(() => {});
  return 'a promise, but this hook must return synchronously';
};

/** A plugin that fails and is skipped has neither refused nor admitted anything. */
export function watchEnter(enter: Enter, parts: HookParts): Enter {
  const [watch, settling] = [watchHook(parts, 'enter'), watchHook(parts, 'settle', 'skip')];
  return (head, caller) => {
    const since = watch.begin();
    try {
      const admission = enter(head, caller);
      const wrong = checkEntry(admission);
      if (wrong !== undefined) throw watch.wrong(wrong);
      return admission && new WatchedAdmission(parts.plugin, admission, settling, head.id);
    } catch (thrown) {
      const refusal = watch.judge(thrown, head.id);
      if (refusal !== undefined) throw refusal;
      return undefined;
    } finally {
      watch.time(since);
    }
  };
}

type Rewrite = NonNullable<PluginInstance['rewrite']>;

/** A plugin that fails and is skipped has changed nothing. */
export function watchRewrite(rewrite: Rewrite, parts: HookParts): Rewrite {
  const watch = watchHook(parts, 'rewrite');
  return (draft) => {
    const rules: HookRules<Draft, RewriteResult | undefined> = { check: (result) => checkRewrite(result, draft) };
    return callHook(watch, rules, rewrite, draft, undefined, draft.id);
  };
}

type Account = NonNullable<PluginInstance['account']>;

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
export function watchAccount(account: Account, parts: HookParts): Account {
  const watch = watchHook(parts, 'account', 'skip');
  const box = (exchange: Exchange, charges: readonly Charge[]): Boxed => ({ result: account(exchange, charges) });
  return (exchange, charges) => {
    const boxed = callHook(watch, accountRules, box, exchange, charges, exchange.id);
    return boxed instanceof Promise ? undefined : boxed?.result;
  };
}

type Observe = NonNullable<PluginInstance['observe']>;
type OnResponseHeaders = NonNullable<PluginInstance['onResponseHeaders']>;
type OnEnded = NonNullable<PluginInstance['ended']>;
type Explain = NonNullable<PluginInstance['explain']>;

/** The attempt is over: nothing waits for an observer. */
export function watchObserve(observe: Observe, parts: HookParts): Observe {
  const watch = watchHook(parts, 'observe', 'skip');
  return (exchange, attempt) => void callHook(watch, anyResult, observe, exchange, attempt, exchange.id);
}

export function watchResponseHeaders(onResponseHeaders: OnResponseHeaders, parts: HookParts): OnResponseHeaders {
  const watch = watchHook(parts, 'onResponseHeaders', 'skip');
  return (attempt, status, headers) => {
    const read = (): void => onResponseHeaders(attempt, status, headers);
    void callHook(watch, anyResult, read, undefined, undefined, attempt.exchange.id);
  };
}

export function watchEnded(ended: OnEnded, parts: HookParts): OnEnded {
  const watch = watchHook(parts, 'ended', 'skip');
  return (request) => void callHook(watch, anyResult, ended, request, undefined, request.head.id);
}

export function watchExplain(explain: Explain, parts: HookParts): Explain {
  const watch = watchHook(parts, 'explain', 'fail');
  return (exchange, order) => callHook(watch, anyResult, explain, exchange, order);
}
