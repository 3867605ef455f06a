import {
  toGatewayError,
  type Exchange,
  type GatewayError,
  type MakeAttempt,
  type Order,
  type Reply,
  type SkippedTarget,
  type Target,
} from '../../../core/api/index.ts';
import type { HealthRegistry } from '../health/health-registry.ts';
import { kindOf } from '../health/latency.ts';
import { reactions } from '../health/reactions.ts';
import { AttemptTimer, type AttemptLimit } from './attempt-timer.ts';
import { backoffMs } from './backoff.ts';
import type { Call } from './call.ts';
import { deadlineError, exhaustedError, unavailableError } from './errors.ts';
import { readMoveOn } from './move-on.ts';
import { remainingMs, type Progress } from './progress.ts';
import { Queue, type Again } from './queue.ts';
import type { Candidate, Router } from './router.ts';
import { Selector, type SelectorParts } from './selector.ts';

export interface StrategyParts extends SelectorParts {
  readonly registry: Pick<HealthRegistry, 'latency'>;
  readonly router: Router;
  readonly call: Call;
  /** Called before the first exchange. */
  readonly onFirstExchange: () => void;
  /** Called when an exchange goes on to another target. */
  readonly onFallback: (route: string, from: string, to: string, reason: string) => void;
}

/** A fault of the gateway itself would be the same at every target. */
const isFinal = ({ code, failure }: GatewayError): boolean =>
  reactions[failure].next === 'nothing' || code === 'internal_error' || code === 'client_closed';

/** Why a candidate that is ready is not called: a failure of this exchange concerns it, too. */
const FAILED = 'another call to this target has failed';

/** The time limit of a probe while another target is left: clients do not wait long for a target that is failing. */
const PROBE = { usualTimes: 4, leastMs: 2_000, unknownMs: 10_000 };

const probeLimitMs = (usualMs: number): number =>
  usualMs === 0 ? PROBE.unknownMs : Math.max(PROBE.leastMs, PROBE.usualTimes * usualMs);

const labelTarget = ({ id, provider, label }: Target): string =>
  label === undefined ? id : `${provider}/${label.model}`;

/** Tries the candidates of an exchange, best first, until one responds. A response that has begun is never retried. */
export class FailoverStrategy {
  readonly #parts: StrategyParts;
  readonly #selector: Selector;
  #hasStarted = false;

  constructor(parts: StrategyParts) {
    this.#parts = parts;
    this.#selector = new Selector(parts);
  }

  /** @throws GatewayError if no candidate responds */
  async run(exchange: Exchange, attempt: MakeAttempt, order?: Order): Promise<Reply> {
    const { budget, call } = this.#parts;
    if (!this.#hasStarted) this.#parts.onFirstExchange();
    this.#hasStarted = true;
    budget.earn();
    const progress = this.#begin(exchange, order);
    const selector = this.#selector;
    for (let next = selector.next(progress); next !== undefined; next = selector.next(progress)) {
      const { candidate } = next;
      if (next.waitMs > 0) {
        await selector.wait(progress, next);
        continue;
      }
      this.#reportFallback(progress, candidate);
      const timer = new AttemptTimer(exchange.signal, this.#limitOf(progress, candidate));
      const skipped = candidate === progress.candidates[0] ? undefined : this.#listSkipped(progress, candidate);
      const details = { kind: progress.kind, timer, waitedMs: progress.waitedMs, skipped };
      progress.attempts += 1;
      progress.waitedMs = 0;
      progress.preferred = undefined;
      progress.budgeted = undefined;
      try {
        return await call(exchange, attempt, candidate, details);
      } catch (thrown) {
        const error = toGatewayError(timer.expired === undefined ? thrown : timer.signal.reason);
        await this.#fail(progress, candidate, error, timer);
      }
    }
    throw this.#finalError(progress);
  }

  #begin(exchange: Exchange, order: Order | undefined): Progress {
    const { settings, router, clock } = this.#parts;
    const candidates = router.route(exchange, clock.monotonic(), order);
    return {
      exchange,
      kind: kindOf(exchange),
      candidates,
      queue: new Queue(candidates, exchange.caller, settings.spareBelow),
      attempts: 0,
      patienceMs: settings.waitMs,
      waitedMs: 0,
      isRefused: false,
    };
  }

  /** The last target has until the deadline of the exchange; the targets before it leave time for another. */
  #limitOf(progress: Progress, { target, health }: Candidate): AttemptLimit {
    const { settings, registry, clock } = this.#parts;
    const { exchange, kind, queue } = progress;
    const { deadlineMs } = settings;
    const now = clock.monotonic();
    const left = remainingMs(progress, deadlineMs, now);
    if (!queue.hasOther(target, now)) return { of: 'deadline', milliseconds: left, namedMs: deadlineMs };
    const latency = registry.latency(target, kind);
    const usual = Math.min(readMoveOn(settings, kind, latency).milliseconds, left / 2);
    const isProbed = health.isProbed(exchange.caller);
    const milliseconds = isProbed ? Math.min(usual, probeLimitMs(latency.usual)) : usual;
    return { of: 'attempt', milliseconds, namedMs: milliseconds };
  }

  /** The candidates before this one that the exchange has not called. undefined: it has called all of them. */
  #listSkipped({ candidates, exchange, failures }: Progress, next: Candidate): readonly SkippedTarget[] | undefined {
    const { clock, settings } = this.#parts;
    const now = clock.monotonic();
    const skipped = candidates.slice(0, candidates.indexOf(next)).flatMap((candidate): readonly SkippedTarget[] => {
      const { target, credential, health } = candidate;
      if (failures?.has(candidate) === true) return [];
      const { caller } = exchange;
      const reason = health.whyNotReady(caller, now) ?? health.whyBehind(caller, now, settings.spareBelow) ?? FAILED;
      return [{ target: target.id, credential, reason }];
    });
    return skipped.length === 0 ? undefined : skipped;
  }

  /** @throws GatewayError if the failure ends the exchange */
  async #fail(progress: Progress, candidate: Candidate, error: GatewayError, { expired }: AttemptTimer): Promise<void> {
    const { retries, adviseNoRetry } = this.#parts.settings;
    if (expired === 'deadline') throw deadlineError(error, progress.attempts, progress.failed?.failure, adviseNoRetry);
    if (progress.exchange.signal.aborted || isFinal(error)) throw error;
    const { next, again } = reactions[error.failure];
    progress.failures ??= new Map();
    const earlier = progress.failures.get(candidate) ?? 0;
    progress.failures.set(candidate, earlier + 1);
    progress.previous = { candidate, error };
    if (error.failure === 'unsuitable') {
      // Nothing was sent to this target, so it does not count as an attempt.
      progress.attempts -= 1;
      progress.unsuitable ??= error;
    } else progress.failed = error;
    if (!(await this.#selector.retry(progress, candidate, error)))
      progress.queue.drop(
        candidate,
        next,
        again === 'last' && earlier < retries ? this.#againAt(progress, candidate, error, earlier) : undefined,
      );
  }

  /**
   * A target that refuses without a time is called again after a pause if there are others, which failed or rest: its
   * cooldown, which the gateway has chosen, is meant to move requests to them. A lone target keeps its cooldown.
   */
  #againAt({ candidates }: Progress, { target }: Candidate, { retryAfterMs }: GatewayError, earlier: number): Again {
    const { settings, clock, random } = this.#parts;
    const isLone = candidates.every((other) => other.target === target);
    if (isLone || retryAfterMs !== undefined) return 'cooled';
    return clock.monotonic() + backoffMs(settings.backoff, earlier, random);
  }

  #finalError({ exchange, candidates, failed, unsuitable, isRefused }: Progress): GatewayError {
    const now = this.#parts.clock.monotonic();
    const { adviseNoRetry } = this.#parts.settings;
    if (failed !== undefined) return exhaustedError(exchange, failed, candidates, now, adviseNoRetry);
    return isRefused || unsuitable === undefined ? unavailableError(exchange, candidates, now) : unsuitable;
  }

  #reportFallback({ exchange: { route }, previous }: Progress, { target }: Candidate): void {
    if (previous === undefined || previous.candidate.target === target) return;
    this.#parts.onFallback(
      route.path,
      labelTarget(previous.candidate.target),
      labelTarget(target),
      previous.error.failure,
    );
  }
}
