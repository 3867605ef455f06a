import { toGatewayError, type Clock, type GatewayError, type Strategy } from '../../core/index.ts';
import { isStreamed, type Arrange, type Candidate } from './arrange.ts';
import { backoffMs, type Pause, type Random } from './backoff.ts';
import type { Budget } from './budget.ts';
import type { Call } from './call.ts';
import { startDeadline } from './deadline.ts';
import { deadlineError, exhaustedError, unavailableError } from './exhausted.ts';
import { readyAt } from './health.ts';
import { createQueue } from './queue.ts';
import { reactions } from './reactions.ts';
import type { Settings } from './settings.ts';

export interface StrategyParts {
  readonly settings: Settings;
  readonly arrange: Arrange;
  readonly call: Call;
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
export const createStrategy =
  ({ settings, arrange, call, budget, clock, random, pause, noteFallback }: StrategyParts): Strategy =>
  async (exchange, attempt) => {
    budget.earn();
    const stream = isStreamed(exchange);
    const candidates = arrange(exchange, clock.monotonic());
    const queue = createQueue(candidates, settings.spareBelow);
    const deadline = startDeadline(exchange, settings.deadlineMs, clock);
    const tries = new Map<Candidate, number>();
    let made = 0;
    let patienceMs = settings.waitMs;
    let waitedMs = 0;
    let isResting = false;
    let previous: { readonly candidate: Candidate; readonly error: GatewayError } | undefined;
    /** The last of an upstream, and the first of a target that cannot carry the request. */
    let failed: GatewayError | undefined;
    let unsuitable: GatewayError | undefined;
    /** What comes next whatever the queue says. */
    let repeat: Candidate | undefined;
    /** The budget has been asked for it, and it is being waited for. */
    let paid: Candidate | undefined;

    const wait = async (milliseconds: number): Promise<void> => {
      await pause(milliseconds, deadline.signal);
      waitedMs += milliseconds;
    };
    /** The same candidate again, after a pause: where that is worth it, affordable, and over in time. */
    const prepareRepeat = async (candidate: Candidate, { failure, retryAfterMs = 0 }: GatewayError, earlier: number): Promise<Candidate | undefined> => {
      if (reactions[failure].again !== 'first' || earlier >= settings.retries || made >= settings.attempts) return undefined;
      const milliseconds = Math.max(retryAfterMs, backoffMs(settings.backoff, earlier, random));
      const then = clock.monotonic() + milliseconds;
      if (milliseconds > settings.backoff.capMs || milliseconds >= deadline.leftMs() || readyAt(candidate.health, then) > then || !budget.take()) return undefined;
      await wait(milliseconds);
      // Meanwhile others may have found it worse. A timer may be early by less than a millisecond, so it is not the clock alone that is asked.
      const now = Math.max(then, clock.monotonic());
      return readyAt(candidate.health, now) > now ? undefined : candidate;
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

        if (previous !== undefined && previous.candidate.target !== candidate.target) noteFallback(exchange.route.path, previous.candidate.target.id, candidate.target.id, previous.error.failure);
        const details = { stream, signal: deadline.signal, waitedMs };
        waitedMs = 0;
        paid = undefined;
        made += 1;
        try {
          return await call(attempt, candidate, details);
        } catch (thrown) {
          const error = toGatewayError(thrown);
          if (deadline.signal.aborted || isFinal(error)) throw error;
          previous = { candidate, error };
          tries.set(candidate, earlier + 1);
          if (error.failure === 'unsuitable') {
            // Nothing was sent to it.
            made -= 1;
            unsuitable ??= error;
          } else failed = error;
          repeat = await prepareRepeat(candidate, error, earlier);
          if (repeat === undefined) queue.drop(candidate, reactions[error.failure].next, reactions[error.failure].again === 'last' && earlier < settings.retries);
        }
      }
      const now = clock.monotonic();
      if (failed !== undefined) throw exhaustedError(failed, candidates, now, settings.adviseNoRetry);
      throw isResting || unsuitable === undefined ? unavailableError(exchange, candidates, now) : unsuitable;
    } catch (thrown) {
      throw deadline.expired ? deadlineError(deadline.signal.reason, made, failed?.failure, settings.adviseNoRetry) : thrown;
    } finally {
      deadline.stop();
    }
  };
