import { toGatewayError, type GatewayError, type Exchange, type Strategy } from '../../../core/index.ts';
import type { Roster } from '../health/health-registry.ts';
import { reactions } from '../health/reactions.ts';
import { isStreamed, type Arrange, type Candidate } from './router.ts';
import type { Call } from './call.ts';
import { deadlineError, exhaustedError, unavailableError } from './errors.ts';
import { leftMs, type Journey } from './progress.ts';
import { createPick, type PickParts } from './selector.ts';
import { createQueue } from './queue.ts';
import { Turn, type TurnLimit } from './attempt-timer.ts';

export interface StrategyParts extends PickParts {
  readonly roster: Pick<Roster, 'latency'>;
  readonly arrange: Arrange;
  readonly call: Call;
  /** The exchange goes on to another target. */
  readonly noteFallback: (route: string, from: string, to: string, reason: string) => void;
}

/** The gateway's own faults are the same everywhere. */
const isFinal = ({ code, failure }: GatewayError): boolean =>
  reactions[failure].next === 'nothing' || code === 'internal_error' || code === 'client_closed';

/** How long a probe may take where another target is left: no client should wait for a target that is known to be in trouble. */
const PROBE = { usualTimes: 4, leastMs: 2_000, unknownMs: 10_000 };

const probeMs = (usualMs: number): number =>
  usualMs === 0 ? PROBE.unknownMs : Math.max(PROBE.leastMs, PROBE.usualTimes * usualMs);

/** The deadline of the exchange limits its last target; those before it leave time for another. */
const limitOf = (
  journey: Journey,
  { target, health }: Candidate,
  { settings, roster, clock }: StrategyParts,
): TurnLimit => {
  const { exchange, stream, queue } = journey;
  const { deadlineMs, moveOn } = settings;
  const now = clock.monotonic();
  const left = leftMs(journey, deadlineMs, now);
  if (!queue.hasOther(target, now)) return { of: 'deadline', milliseconds: left, saidMs: deadlineMs };
  const usual = Math.min(stream ? moveOn.streamedMs : moveOn.plainMs, left / 2);
  const isProbed = health.isProbed(exchange.caller);
  const milliseconds = isProbed ? Math.min(usual, probeMs(roster.latency(target.id, stream).usual)) : usual;
  return { of: 'attempt', milliseconds, saidMs: milliseconds };
};

const begun = (journey: Journey): void => {
  journey.made += 1;
  journey.waitedMs = 0;
  journey.granted = undefined;
  journey.paid = undefined;
};

/** Tries the candidates of an exchange, the best first, until one answers. What has begun to answer is never tried again: a Reply is final. */
export function createStrategy(parts: StrategyParts): Strategy {
  const { settings, arrange, call, budget, clock, noteFallback } = parts;
  const { spareBelow, waitMs, adviseNoRetry } = settings;
  const pick = createPick(parts);

  const begin = (exchange: Exchange): Journey => {
    const candidates = arrange(exchange, clock.monotonic());
    const queue = createQueue(candidates, exchange.caller, spareBelow);
    return {
      exchange,
      stream: isStreamed(exchange),
      candidates,
      queue,
      made: 0,
      patienceMs: waitMs,
      waitedMs: 0,
      isRefused: false,
    };
  };
  /** @throws GatewayError where the exchange is over with it */
  const fail = async (journey: Journey, candidate: Candidate, error: GatewayError, { missed }: Turn): Promise<void> => {
    if (missed === 'deadline') throw deadlineError(error, journey.made, journey.failed?.failure, adviseNoRetry);
    if (journey.exchange.signal.aborted || isFinal(error)) throw error;
    const { next, again } = reactions[error.failure];
    journey.tries ??= new Map();
    const earlier = journey.tries.get(candidate) ?? 0;
    journey.tries.set(candidate, earlier + 1);
    journey.previous = { candidate, error };
    if (error.failure === 'unsuitable') {
      // Nothing was sent to it.
      journey.made -= 1;
      journey.unsuitable ??= error;
    } else journey.failed = error;
    if (!(await pick.repeat(journey, candidate, error)))
      journey.queue.drop(candidate, next, again === 'last' && earlier < settings.retries);
  };
  const giveUp = ({ exchange, candidates, failed, unsuitable, isRefused }: Journey): GatewayError => {
    const now = clock.monotonic();
    if (failed !== undefined) return exhaustedError(exchange, failed, candidates, now, adviseNoRetry);
    return isRefused || unsuitable === undefined ? unavailableError(exchange, candidates, now) : unsuitable;
  };
  const note = ({ exchange: { route }, previous }: Journey, { target }: Candidate): void => {
    if (previous === undefined || previous.candidate.target === target) return;
    noteFallback(route.path, previous.candidate.target.id, target.id, previous.error.failure);
  };

  return async (exchange, attempt) => {
    budget.earn();
    const journey = begin(exchange);
    for (let next = pick.next(journey); next !== undefined; next = pick.next(journey)) {
      const { candidate } = next;
      if (next.waitMs > 0) {
        await pick.wait(journey, next);
        continue;
      }
      note(journey, candidate);
      const turn = new Turn(exchange.signal, limitOf(journey, candidate, parts));
      const details = { stream: journey.stream, turn, waitedMs: journey.waitedMs };
      begun(journey);
      try {
        return await call(exchange, attempt, candidate, details);
      } catch (thrown) {
        await fail(journey, candidate, toGatewayError(turn.missed === undefined ? thrown : turn.signal.reason), turn);
      }
    }
    throw giveUp(journey);
  };
}
