import {
  GatewayError,
  toGatewayError,
  type Clock,
  type Exchange,
  type MakeAttempt,
  type Reply,
  type SkippedTarget,
} from '../../../core/api/index.ts';
import type { Identity } from '../health/callers.ts';
import type { HealthRegistry } from '../health/health-registry.ts';
import type { Health } from '../health/health.ts';
import type { LatencyKind } from '../health/latency.ts';
import type { HealthRecorder, Probe } from '../health/recorder.ts';
import type { AttemptTimer } from './attempt-timer.ts';
import type { Candidate } from './router.ts';

/** How one attempt is made. */
export interface CallDetails {
  readonly kind: LatencyKind;
  readonly timer: AttemptTimer;
  readonly waitedMs: number;
  /** The candidates before it that were not called. Absent: none. */
  readonly skipped: readonly SkippedTarget[] | undefined;
}
/** Makes one attempt and records its result in the health of the candidate. @throws GatewayError */
export type Call = (
  exchange: Exchange,
  attempt: MakeAttempt,
  candidate: Candidate,
  details: CallDetails,
) => Promise<Reply>;

interface CallParts {
  readonly recorder: HealthRecorder;
  readonly registry: HealthRegistry;
  readonly clock: Clock;
  /** A client that leaves after waiting this long counts as a failure of the target. */
  readonly slowMs: number;
}

/** Every call to a circuit that is not closed counts as a probe of it. */
const enterProbe = (health: Health, caller: Identity, at: number): Probe | undefined => {
  if (!health.model.isTroubled && !health.account.isTroubled) return undefined;
  const circuits = health.scopes(caller).flatMap(({ circuit }) => (circuit.enter() ? [circuit] : []));
  return circuits.length === 0 ? undefined : { at, circuits };
};

const hasClientLeft = ({ signal }: Exchange): boolean =>
  signal.aborted && GatewayError.is(signal.reason) && signal.reason.code === 'client_closed';

export const createCall =
  ({ recorder, registry, clock, slowMs }: CallParts): Call =>
  async (exchange, attempt, { target, credential, health }, { kind, timer, waitedMs, skipped }) => {
    const { caller } = exchange;
    const { signal } = timer;
    const startedAt = clock.monotonic();
    const probe = enterProbe(health, caller, startedAt);
    const recordAbandoned = (): void => {
      const now = clock.monotonic();
      const isCutShort = timer.expired === 'deadline' || hasClientLeft(exchange);
      if (isCutShort && now - startedAt >= slowMs) recorder.abandoned(health, { caller, now, probe });
    };
    // After its client has left, a call can continue until its usage is known.
    timer.onClientClosed(recordAbandoned);
    try {
      const plain = waitedMs === 0 ? { signal } : { signal, waitedMs };
      const reply = await attempt(target, credential, skipped === undefined ? plain : { ...plain, skipped });
      timer.responseBegan();
      const now = clock.monotonic();
      recorder.succeeded(health, { caller, now, probe });
      registry.latency(target, kind).add(now, now - startedAt);
      return reply;
    } catch (thrown) {
      timer.stop();
      const error = toGatewayError(thrown);
      // Probes have another limit.
      if (timer.expired === 'attempt' && probe === undefined)
        registry.latency(target, kind).addEnded(clock.monotonic() - startedAt);
      // A target is not at fault if the deadline of the exchange passed soon after the attempt began.
      if (timer.expired === 'deadline') recordAbandoned();
      else if (!exchange.signal.aborted) recorder.failed(health, error, { caller, now: clock.monotonic(), probe });
      throw error;
    } finally {
      if (probe !== undefined) for (const circuit of probe.circuits) circuit.leave();
    }
  };
