import type { Caller, Clock, Log } from '../../../core/api/index.ts';
import type { Rule } from '../rules/rule.ts';

/** The time between two lines about the same limit. */
const INTERVAL_MS = 60_000;

interface Line {
  readonly at: number;
  /** Refusals since then that were not logged. */
  suppressed: number;
}

/** Logs what shadow limits would have refused: one line per limit and minute. */
export function createShadowLog(log: Log, clock: Pick<Clock, 'monotonic'>): (rule: Rule, caller: Caller) => void {
  const lines = new Map<string, Line>();
  return ({ label }, { key, project, organization }) => {
    const now = clock.monotonic();
    const last = lines.get(label);
    if (last !== undefined && now - last.at < INTERVAL_MS) {
      last.suppressed += 1;
      return;
    }
    lines.set(label, { at: now, suppressed: 0 });
    log.info(
      { limit: label, key, project, organization, suppressed: last?.suppressed ?? 0 },
      'a shadow limit would have refused a request',
    );
  };
}
