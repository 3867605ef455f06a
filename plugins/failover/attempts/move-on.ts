import type { Settings } from '../config/settings.ts';
import type { Latency, LatencyKind } from '../health/latency.ts';

/** How long an attempt can take until its response begins, while another target is left. Milliseconds. */
export interface MoveOn {
  readonly milliseconds: number;
  /** The setting that decides. `times`: it is derived from the responses of the target. */
  readonly from: 'times' | 'least' | 'streamed' | 'plain';
}

/** A time that is derived from the responses of the target, between the two that are set. */
export function readMoveOn(
  { moveOn }: Pick<Settings, 'moveOn'>,
  kind: LatencyKind,
  latency: Pick<Latency, 'quantile'>,
): MoveOn {
  const type = kind === 'streamed' ? 'streamed' : 'plain';
  const most = { milliseconds: type === 'streamed' ? moveOn.streamedMs : moveOn.plainMs, from: type } as const;
  const { quantile } = latency;
  if (moveOn.times === 0 || quantile === undefined) return most;
  const leastMs = type === 'streamed' ? moveOn.leastMs.streamed : moveOn.leastMs.plain;
  const learntMs = moveOn.times * quantile;
  if (Math.max(learntMs, leastMs) >= most.milliseconds) return most;
  return learntMs > leastMs ? { milliseconds: learntMs, from: 'times' } : { milliseconds: leastMs, from: 'least' };
}
