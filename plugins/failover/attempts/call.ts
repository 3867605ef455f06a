import {
  GatewayError,
  toGatewayError,
  type Clock,
  type Exchange,
  type MakeAttempt,
  type Reply,
} from '../../../core/index.ts';
import type { Identity } from '../health/callers.ts';
import type { Circuit } from '../health/circuit.ts';
import type { Health } from '../health/health.ts';
import type { Roster } from '../health/health-registry.ts';
import type { Learn, Probe } from '../health/recorder.ts';
import type { Candidate } from './router.ts';
import type { Turn } from './attempt-timer.ts';

/** How one attempt is made. */
export interface CallDetails {
  readonly stream: boolean;
  readonly turn: Turn;
  readonly waitedMs: number;
}
/** One attempt, and all that is learned from it. @throws GatewayError */
export type Call = (
  exchange: Exchange,
  attempt: MakeAttempt,
  candidate: Candidate,
  details: CallDetails,
) => Promise<Reply>;

interface CallParts {
  readonly learn: Learn;
  readonly roster: Roster;
  readonly clock: Clock;
  /** A client that leaves after waiting for so long counts against the target. */
  readonly slowMs: number;
}

/** Circuits that are not closed are probed by every call that is made all the same. */
const enterProbe = ({ model, account }: Health, caller: Identity, at: number): Probe | undefined => {
  if (!model.isTroubled && !account.isTroubled) return undefined;
  const scopes = [model.all, account.all, model.own(caller), account.own(caller)];
  const circuits: readonly Circuit[] = scopes.flatMap((scope) =>
    scope?.circuit.enter() === true ? [scope.circuit] : [],
  );
  return circuits.length === 0 ? undefined : { at, circuits };
};

const hasLeft = ({ signal }: Exchange): boolean =>
  signal.aborted && GatewayError.is(signal.reason) && signal.reason.code === 'client_closed';

export const createCall =
  ({ learn, roster, clock, slowMs }: CallParts): Call =>
  async (exchange, attempt, { target, credential, health }, { stream, turn, waitedMs }) => {
    const { caller } = exchange;
    const { signal } = turn;
    const startedAt = clock.monotonic();
    const probe = enterProbe(health, caller, startedAt);
    const abandon = (): void => {
      const now = clock.monotonic();
      const isCutShort = turn.missed === 'deadline' || hasLeft(exchange);
      if (isCutShort && now - startedAt >= slowMs) learn.abandoned(health, { caller, now, probe });
    };
    // The call itself may go on after its client has left, until its usage is known.
    turn.whenLeft(abandon);
    try {
      const reply = await attempt(target, credential, waitedMs === 0 ? { signal } : { signal, waitedMs });
      turn.begun();
      const now = clock.monotonic();
      learn.succeeded(health, { caller, now, probe });
      roster.latency(target.id, stream).add(now, now - startedAt);
      return reply;
    } catch (thrown) {
      turn.end();
      const error = toGatewayError(thrown);
      // The target is not at fault where the time was up soon after its turn had come.
      if (turn.missed === 'deadline') abandon();
      else if (!exchange.signal.aborted) learn.failed(health, error, { caller, now: clock.monotonic(), probe });
      throw error;
    } finally {
      if (probe !== undefined) for (const circuit of probe.circuits) circuit.leave();
    }
  };
