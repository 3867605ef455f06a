import { toGatewayError, type AttemptDetails, type Clock, type GatewayError, type MakeAttempt, type Reply, type Strategy } from '../../core/index.ts';
import { isStreamed, type Arrange, type Candidate } from './arrange.ts';
import { backoffMs, type Pause, type Random } from './backoff.ts';
import type { Budget } from './budget.ts';
import { startDeadline } from './deadline.ts';
import { deadlineError, exhaustedError, unavailableError } from './exhausted.ts';
import { readyAt } from './health.ts';
import type { Learn } from './learn.ts';
import { createQueue } from './queue.ts';
import { reactions } from './reactions.ts';
import type { Roster } from './roster.ts';
import type { Settings } from './settings.ts';

export interface StrategyParts {
  readonly settings: Settings;
  readonly arrange: Arrange;
  readonly learn: Learn;
  readonly roster: Roster;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly random: Random;
  readonly pause: Pause;
  /** The exchange goes on to another target. */
  readonly noteFallback: (route: string, from: string, to: string, reason: string) => void;
}

/** The gateway's own faults are the same everywhere. */
const isFinal = ({ code, failure }: GatewayError): boolean => reactions[failure].next === 'nothing' || code === 'internal_error' || code === 'client_closed';

/** Tries the candidates of an exchange, the best first, until one answers. What has begun to answer is never tried again: a Reply is final. */
export const createStrategy = ({ settings, arrange, learn, roster, budget, clock, random, pause, noteFallback }: StrategyParts): Strategy => {
  /** One call, and all that is learned from it. */
  const call = async (attempt: MakeAttempt, { target, credential, health }: Candidate, stream: boolean, details: Required<Pick<AttemptDetails, 'signal'>> & AttemptDetails): Promise<Reply> => {
    const startedAt = clock.monotonic();
    const probes = [health.circuit, health.account].filter((circuit) => circuit.enter(startedAt));
    try {
      const reply = await attempt(target, credential, details);
      const now = clock.monotonic();
      learn.succeeded(health, now);
      roster.latency(target.id, stream).add(now, now - startedAt);
      return reply;
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (!details.signal.aborted) learn.failed(health, error, clock.monotonic());
      throw error;
    } finally {
      for (const circuit of probes) circuit.leave();
    }
  };

  return async (exchange, attempt) => {
    budget.earn();
    const stream = isStreamed(exchange);
    const candidates = arrange(exchange, clock.monotonic());
    const queue = createQueue(candidates, settings.spareBelow);
    const deadline = startDeadline(exchange, settings.deadlineMs, clock);
    const tries = new Map<Candidate, number>();
    let made = 0;
    let patienceMs = settings.waitMs;
    let waitedMs = 0;
    let failed: { readonly candidate: Candidate; readonly error: GatewayError } | undefined;
    let last: GatewayError | undefined;
    let unsuitable: GatewayError | undefined;
    let isResting = false;
    let repeat: Candidate | undefined;
    /** The budget has been asked for it, and it is being waited for. */
    let paid: Candidate | undefined;

    const wait = async (milliseconds: number): Promise<void> => {
      await pause(milliseconds, deadline.signal);
      waitedMs += milliseconds;
    };
    /** The same target again, after a pause: where that is worth it, affordable, and over in time. */
    const prepareRepeat = async (candidate: Candidate, { failure, retryAfterMs = 0 }: GatewayError, earlier: number): Promise<Candidate | undefined> => {
      if (reactions[failure].again !== 'first' || earlier >= settings.retries || made >= settings.attempts) return undefined;
      const milliseconds = Math.max(retryAfterMs, backoffMs(settings.backoff, earlier, random));
      const then = clock.monotonic() + milliseconds;
      if (milliseconds > settings.backoff.capMs || milliseconds >= deadline.leftMs() || readyAt(candidate.health, then) > then || !budget.take()) return undefined;
      await wait(milliseconds);
      return candidate;
    };

    try {
      while (made < settings.attempts) {
        const next = repeat === undefined ? queue.next(clock.monotonic()) : { candidate: repeat, waitMs: 0 };
        if (next === undefined) break;
        const { candidate, waitMs } = next;
        isResting = waitMs > 0 && (waitMs > patienceMs || waitMs >= deadline.leftMs());
        if (isResting) break;
        const earlier = tries.get(candidate) ?? 0;
        if (earlier > 0 && candidate !== repeat && candidate !== paid && !budget.take()) {
          queue.drop(candidate, 'credential', false);
          continue;
        }
        if (waitMs > 0) {
          paid = candidate;
          patienceMs -= waitMs;
          await wait(waitMs);
          continue;
        }
        if (failed !== undefined && failed.candidate.target !== candidate.target) noteFallback(exchange.route.path, failed.candidate.target.id, candidate.target.id, failed.error.failure);
        const details = { signal: deadline.signal, ...(waitedMs === 0 ? {} : { waitedMs }) };
        waitedMs = 0;
        paid = undefined;
        made += 1;
        try {
          return await call(attempt, candidate, stream, details);
        } catch (thrown) {
          const error = toGatewayError(thrown);
          if (deadline.signal.aborted || isFinal(error)) throw error;
          failed = { candidate, error };
          tries.set(candidate, earlier + 1);
          // Nothing was sent to a target that cannot carry the request.
          if (error.failure === 'unsuitable') {
            made -= 1;
            unsuitable ??= error;
          } else last = error;
          const { next: where, again } = reactions[error.failure];
          repeat = await prepareRepeat(candidate, error, earlier);
          if (repeat === undefined) queue.drop(candidate, where, again === 'last' && earlier < settings.retries);
        }
      }
      const now = clock.monotonic();
      if (last !== undefined) throw exhaustedError(last, candidates, now, settings.adviseNoRetry);
      throw isResting || unsuitable === undefined ? unavailableError(exchange, candidates, now) : unsuitable;
    } catch (thrown) {
      throw deadline.expired ? deadlineError(deadline.signal.reason, made, last?.failure) : thrown;
    } finally {
      deadline.stop();
    }
  };
};
