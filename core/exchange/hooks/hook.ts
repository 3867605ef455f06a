import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import type { Metrics, Log } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Timer } from '../../services/timer.ts';

const logged = new WeakSet<GatewayError>();

/** Whether an error has been logged with the name of its plugin, so that no outer layer logs it again. */
export const isLogged = (error: GatewayError): boolean => logged.has(error);

/** The kind of a value. Never its content, which may come from a client. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object of another shape' : `a ${typeof value}`;
}

/** The hook of a plugin that has it. */
export type HookOf<Name extends keyof PluginInstance> = NonNullable<PluginInstance[Name]>;

/** `fail` refuses the exchange, `skip` continues without the hook. */
type OnError = 'fail' | 'skip';

/** How the hooks of one plugin are watched. */
export interface HookParts {
  /** The plugin's name, in the log and in metrics. */
  readonly plugin: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onError: OnError;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Times one hook of one plugin and handles its failures. */
export interface HookWatch {
  readonly timeout: number;
  /**
   * Decides about an error of the hook. A refusal on purpose is returned as it is. Any other error is counted and
   * logged, once.
   * @returns the error that refuses the exchange; undefined if the hook is skipped
   */
  judge(thrown: unknown, requestId?: string): unknown;
  /** The error of a hook that exceeded its time limit. */
  late(): Error;
  /** The error of a hook that returned a wrong value. @param what completes `it returned …` */
  wrong(what: string): Error;
  /** @returns when a call begins whose duration is recorded; undefined for the others */
  begin(): number | undefined;
  /** The hook has returned a promise. */
  noteWait(): void;
  /** Records the duration of the hook. @param since from `begin`, or from `performance.now()` */
  time(since: number | undefined): void;
}

/** Seconds, the buckets of the gateway's own overhead. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/**
 * The duration of the first call of a hook is recorded, and then of one in so many, because two clocks and a histogram
 * cost more than most hooks. Once a call has failed or has returned a promise, all are recorded.
 */
const SAMPLED = 64;

/** A GatewayError is a decision of the plugin (400, 401, 429…), unless it is an `internal_error`. */
const isDecision = (thrown: unknown): boolean => GatewayError.is(thrown) && thrown.code !== 'internal_error';

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** @param action replaces the plugin's `onError` for hooks that allow only one of the two */
export function watchHook(
  { plugin, timeout, onError, log, metrics }: HookParts,
  hook: Exclude<keyof PluginInstance, 'close'> | 'settle',
  action: OnError = onError,
): HookWatch {
  const count = metrics
    .counter('koine_plugin_errors_total', 'Hooks of plugins that failed.', ['plugin', 'hook', 'action'])
    .bind([plugin, hook, action]);
  const observe = metrics
    .histogram(
      'koine_plugin_duration_seconds',
      'What hooks of plugins take; of synchronous hooks that have not failed, one call in 64.',
      ['plugin', 'hook'],
      BUCKETS,
    )
    .bind([plugin, hook]);
  let calls = 0;
  let recordsAll = false;
  const recordAll = (): void => void (recordsAll = true);
  return {
    timeout,
    begin: () => (recordsAll || calls++ % SAMPLED === 0 ? performance.now() : undefined),
    noteWait: recordAll,
    judge: (thrown, requestId) => {
      if (isDecision(thrown)) return thrown;
      recordAll();
      count(1);
      log.error(omitUndefined({ plugin, hook, action, request_id: requestId, error: thrown }), 'a plugin failed');
      if (action === 'skip') return undefined;
      const message = `The plugin ${plugin} failed in ${hook}: ${messageOf(thrown)}`;
      const error = new GatewayError('internal_error', message, { cause: thrown });
      logged.add(error);
      return error;
    },
    late: () => new Error(`it did not finish within ${timeout} ms`),
    wrong: (what) => new Error(`it returned ${what}`),
    time: (since) => {
      if (since !== undefined) observe((performance.now() - since) / 1_000);
    },
  };
}

/** How the results of a hook are checked. */
export interface HookRules<A, T> {
  /** What is wrong with a result, to complete `it returned …`; undefined: nothing. */
  readonly check: (result: T) => string | undefined;
  /** Receives a result that arrived after the time limit. */
  readonly late?: (result: T, argument: A) => void;
}

/** For a hook whose result is not used. */
export const anyResult: HookRules<unknown, unknown> = { check: () => undefined };

const isPending = <T>(result: T | PromiseLike<T>): result is PromiseLike<T> =>
  typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function';

const fail = (
  watch: HookWatch,
  since: number | undefined,
  thrown: unknown,
  requestId: string | undefined,
): undefined => {
  watch.time(since);
  const refusal = watch.judge(thrown, requestId);
  if (refusal !== undefined) throw refusal;
};

/** Waits for a hook that returned a promise, within its time limit. */
function waitFor<A, T>(
  watch: HookWatch,
  rules: HookRules<A, T>,
  since: number | undefined,
  argument: A,
  requestId: string | undefined,
  pending: PromiseLike<T>,
): Promise<T | undefined> {
  watch.noteWait();
  const refuse = (thrown: unknown): undefined => fail(watch, since, thrown, requestId);
  let isOver = false;
  return new Promise((resolve) => {
    const conclude = (how: () => T | undefined): void => {
      if (isOver) return;
      isOver = true;
      timer.stop();
      resolve(new Promise((settle) => settle(how())));
    };
    const timer = new Timer(watch.timeout, () => conclude(() => refuse(watch.late())));
    const check = (result: T): T | undefined => {
      const wrong = rules.check(result);
      if (wrong !== undefined) return refuse(watch.wrong(wrong));
      watch.time(since);
      return result;
    };
    const accept = (result: T): void => {
      if (isOver) rules.late?.(result, argument);
      else conclude(() => check(result));
    };
    void pending.then(accept, (thrown: unknown) => conclude(() => refuse(thrown)));
  });
}

/**
 * Calls a hook with one or two arguments. If the hook returns no promise, neither does this, and no timer is started.
 * @returns undefined where the hook failed and is skipped
 * @throws GatewayError the hook's decision, or `internal_error` (the promise rejects where one is returned)
 */
export function callHook<A, B, T>(
  watch: HookWatch,
  rules: HookRules<A, T>,
  hook: (one: A, other: B) => T | PromiseLike<T>,
  one: A,
  other: B,
  requestId?: string,
): T | undefined | Promise<T | undefined> {
  const since = watch.begin();
  let result: T | PromiseLike<T>;
  try {
    result = hook(one, other);
  } catch (thrown) {
    return fail(watch, since, thrown, requestId);
  }
  if (isPending(result)) return waitFor(watch, rules, since, one, requestId, result);
  const wrong = rules.check(result);
  if (wrong !== undefined) return fail(watch, since, watch.wrong(wrong), requestId);
  watch.time(since);
  return result;
}

/** Calls a synchronous hook. @returns undefined where the hook failed and is skipped */
export function callNow<A, B, T>(
  watch: HookWatch,
  check: (result: T) => string | undefined,
  hook: (one: A, other: B) => T,
  one: A,
  other: B,
  requestId: string,
): T | undefined {
  const since = watch.begin();
  try {
    const result = hook(one, other);
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
