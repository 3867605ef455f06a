import { toGatewayError, type Clock, type MakeAttempt, type Reply } from '../../core/index.ts';
import type { Candidate } from './arrange.ts';
import type { Learn } from './learn.ts';
import type { Roster } from './roster.ts';

/** How one attempt is made. */
export interface CallDetails {
  readonly stream: boolean;
  /** An attempt that was aborted says nothing about its target. */
  readonly signal: AbortSignal;
  readonly waitedMs: number;
}
/** One attempt, and all that is learned from it. @throws GatewayError */
export type Call = (attempt: MakeAttempt, candidate: Candidate, details: CallDetails) => Promise<Reply>;

interface CallParts {
  readonly learn: Learn;
  readonly roster: Roster;
  readonly clock: Clock;
}

export const createCall =
  ({ learn, roster, clock }: CallParts): Call =>
  async (attempt, { target, credential, health }, { stream, signal, waitedMs }) => {
    const startedAt = clock.monotonic();
    const probes = [health.circuit, health.account].filter((circuit) => circuit.enter(startedAt));
    try {
      const reply = await attempt(target, credential, waitedMs === 0 ? { signal } : { signal, waitedMs });
      const now = clock.monotonic();
      learn.succeeded(health, now);
      roster.latency(target.id, stream).add(now, now - startedAt);
      return reply;
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (!signal.aborted) learn.failed(health, error, clock.monotonic());
      throw error;
    } finally {
      for (const circuit of probes) circuit.leave();
    }
  };
