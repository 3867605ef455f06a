import type { Log, Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors.ts';
import { markLogged } from './logged.ts';

export type Hook = 'middleware' | 'identify' | 'enter' | 'admit' | 'settle' | 'strategy' | 'interceptor' | 'fits' | 'onResponseHeaders' | 'observe' | 'ended' | 'account' | 'explain' | 'endpoints';
/** `fail` refuses the exchange, `skip` goes on without the hook. */
export type OnError = 'fail' | 'skip';

/** How one plugin is watched. */
export interface GuardParts {
  /** Its name, in the log and in metrics. */
  readonly plugin: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onError: OnError;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** One hook of one plugin, watched. */
export interface HookWatch {
  readonly timeout: number;
  /**
   * What becomes of a failure: a refusal on purpose comes back as it is; anything else is counted and logged, once, and comes back as the error
   * that refuses the exchange, or as nothing where the hook is to be skipped.
   */
  judge(thrown: unknown, requestId?: string): unknown;
  /** The failure of a hook that is not done in time. */
  late(): Error;
  /** The failure of a hook that answered what it may not. */
  wrong(what: string): Error;
  /** @param since of `performance.now()` */
  time(since: number): void;
}

/** Seconds: those of the gateway's own share. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** A GatewayError says what the plugin decided (401, 429, 400…); what it could not do is an `internal_error`. */
export const isDecision = (thrown: unknown): boolean => GatewayError.is(thrown) && thrown.code !== 'internal_error';

const sentence = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** @param action instead of the plugin's `onError`, where the hook leaves no choice */
export const watchHook = ({ plugin, timeout, onError, log, metrics }: GuardParts, hook: Hook, action: OnError = onError): HookWatch => {
  const count = metrics.counter('koine_plugin_errors_total', 'Hooks of plugins that failed.', ['plugin', 'hook', 'action']).bind([plugin, hook, action]);
  const observe = metrics.histogram('koine_plugin_duration_seconds', 'What hooks of plugins take.', ['plugin', 'hook'], BUCKETS).bind([plugin, hook]);
  return {
    timeout,
    judge: (thrown, requestId) => {
      if (isDecision(thrown)) return thrown;
      count(1);
      log.error({ plugin, hook, action, ...(requestId === undefined ? {} : { request_id: requestId }), error: thrown }, 'a plugin failed');
      return action === 'skip' ? undefined : markLogged(new GatewayError('internal_error', `The plugin ${plugin} failed in ${hook}: ${sentence(thrown)}`, { cause: thrown }));
    },
    late: () => new Error(`it was not done after ${timeout} ms`),
    wrong: (what) => new Error(`it answered ${what}`),
    time: (since) => observe((performance.now() - since) / 1_000),
  };
};
