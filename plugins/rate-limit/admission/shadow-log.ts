import type { Caller, Clock, Log } from '../../../core/index.ts';
import type { Rule } from '../rules/rules.ts';

/** A busy shadow limit says so once in this time. */
const QUIET_MS = 60_000;

interface Said {
  readonly at: number;
  /** Refusals since then. */
  unsaid: number;
}

/** One line per limit and minute about what a shadow limit would have refused. */
export function createShadowLog(log: Log, clock: Pick<Clock, 'monotonic'>): (rule: Rule, caller: Caller) => void {
  const said = new Map<string, Said>();
  return ({ label }, { key, project, organization }) => {
    const now = clock.monotonic();
    const last = said.get(label);
    if (last !== undefined && now - last.at < QUIET_MS) {
      last.unsaid += 1;
      return;
    }
    said.set(label, { at: now, unsaid: 0 });
    log.info(
      { limit: label, key, project, organization, unsaid: last?.unsaid ?? 0 },
      'a shadow limit would have refused a request',
    );
  };
}
