import type { Admission, Caller, Clock, GatewayError, Outcome, PluginInstance } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { BadRequestCounter } from './bad-requests.ts';
import { localMode } from './decide.ts';
import type { Exhausted, ExhaustedLimits } from './exhausted.ts';
import { describeFigures } from './figures.ts';
import type { Breaker } from '../store/breaker.ts';
import type { Leases } from './leases.ts';
import { createRefusal } from './refusal.ts';
import type { EntryRules, Rule, SelectEntryRules } from '../rules/rule.ts';

/**
 * How many requests of this process are open under each `concurrent` limit, by the key of its bucket. Outlives reloads.
 */
export type OpenRequests = Map<string, number>;

export interface EnterParts {
  readonly selectEntry: SelectEntryRules;
  readonly open: OpenRequests;
  readonly exhausted: ExhaustedLimits;
  readonly badRequests: BadRequestCounter;
  readonly leases: Pick<Leases, 'covers'>;
  readonly shared: Pick<Breaker, 'open'> | undefined;
  readonly clock: Clock;
}

const close = (open: OpenRequests, key: string): void => {
  const left = (open.get(key) ?? 0) - 1;
  if (left > 0) open.set(key, left);
  else open.delete(key);
};

const findFull = (open: OpenRequests, rules: readonly Rule[]): Rule | undefined => {
  for (const rule of rules) if ((open.get(rule.bucket.key) ?? 0) >= rule.limit.amount) return rule;
  return undefined;
};

/** The place of one request in its `concurrent` limits, from its entry to its end. */
class Entry implements Admission {
  readonly #parts: EnterParts;
  readonly #id: string;
  readonly #caller: Caller;
  readonly #rules: EntryRules;

  constructor(parts: EnterParts, id: string, caller: Caller, rules: EntryRules) {
    this.#parts = parts;
    this.#id = id;
    this.#caller = caller;
    this.#rules = rules;
  }

  settle({ result }: Outcome): void {
    const { open, leases, badRequests } = this.#parts;
    const { concurrent, requests } = this.#rules;
    if (concurrent !== undefined) for (const { bucket } of concurrent.rules) close(open, bucket.key);
    if (result === 'client_error' && requests !== undefined && !leases.covers(this.#id))
      badRequests.count(this.#id, this.#caller, requests);
  }
}

const refuseFull = (rule: Rule, now: number): GatewayError => {
  rule.meter.deny.local(1);
  return createRefusal({ rule, charge: { bucket: rule.bucket, amount: 1 }, state: undefined, waitMs: 0 }, now, {});
};

/** Repeats the refusal of the store, with a shorter wait. Another caller sees only the limit that both share. */
const refuseAgain = (
  { caller: first, ruling, index, waitMs, requestedAt }: Exhausted,
  caller: Caller,
  rule: Rule,
  clock: Clock,
): GatewayError => {
  const { rules, charges, decision, degraded } = ruling;
  const { states } = decision;
  const [elapsed, now] = [clock.monotonic() - requestedAt, clock.now()];
  const shown = rules.flatMap((each, at) => {
    const state = states[at];
    const isShown = at === index || (caller === first && each.limit.models.length === 0);
    return isShown && state !== undefined
      ? [{ rule: each, state: { ...state, resetMs: Math.max(0, state.resetMs - elapsed) } }]
      : [];
  });
  const limits = describeFigures(
    shown.map((each) => each.rule),
    shown.map(({ state }) => state),
    now,
  );
  rule.meter.deny.local(1);
  const charge = charges[index] ?? { bucket: rule.bucket, amount: 1 };
  const details = omitUndefined({ limits, headers: degraded ? localMode : undefined });
  return createRefusal({ rule, charge, state: states[index], waitMs: waitMs - elapsed }, now, details);
};

/**
 * Refuses a request before its body is read, if as many requests are open in this process as a `concurrent` limit
 * allows, or if a `requests` limit has just refused. `admit` makes the exact decision, and is the only one to apply
 * limits for some models.
 */
export function createEnter(parts: EnterParts): NonNullable<PluginInstance['enter']> {
  const { selectEntry, open, exhausted, shared, clock } = parts;
  return ({ id }, caller) => {
    const rules = selectEntry(caller);
    if (rules === undefined) return undefined;
    const { concurrent, requests } = rules;
    const degraded = shared?.open === true;
    if (concurrent !== undefined) {
      const full = findFull(open, degraded ? concurrent.outage : concurrent.rules);
      if (full !== undefined) throw refuseFull(full, clock.now());
    }
    const known = requests && exhausted.find(requests.rules, degraded, clock.monotonic());
    const refused = known?.ruling.rules[known.index];
    if (known !== undefined && refused !== undefined) throw refuseAgain(known, caller, refused, clock);
    if (concurrent !== undefined)
      for (const { bucket } of concurrent.rules) open.set(bucket.key, (open.get(bucket.key) ?? 0) + 1);
    return new Entry(parts, id, caller, rules);
  };
}
