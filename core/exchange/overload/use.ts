/** What the open exchanges of this thread hold together: those of one key, or all. */
export interface Use {
  memory: number;
  /** Steps of the last seconds, as they counted at `stepsAt`, in monotonic milliseconds. */
  steps: number;
  stepsAt: number;
}

/** What those of one key hold. */
export interface KeyUse extends Use {
  /** Open exchanges of this thread. */
  requests: number;
  /** Where those of all threads are counted. */
  readonly place: number;
}

/** Steps count as 1/e of their number after this time, so that one key cannot keep the process busy. */
const STEPS_SPAN_MS = 10_000;

/** The steps that still count. */
export function ageSteps(use: Use, now: number): number {
  if (use.steps > 0) use.steps *= Math.exp((use.stepsAt - now) / STEPS_SPAN_MS);
  use.stepsAt = now;
  return use.steps;
}
