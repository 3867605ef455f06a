import type { Caller } from '../../../core/api/index.ts';
import { setBounded } from '../../../core/api/internal.ts';
import type { Rule } from '../rules/rule.ts';
import type { Ruling } from './decide.ts';

/** How long a refusal is repeated at most: another process can give back a request for which no upstream was called. */
const REPEAT_MS = 1_000;
/** Limits that are remembered at once. The oldest is dropped. */
const MAX_LIMITS = 1_000;

/** A limit of `requests` that had no room at the last decision of the store. */
export interface Exhausted {
  readonly caller: Caller;
  readonly ruling: Ruling;
  /** The index of the limit that refused, among the rules of the ruling. */
  readonly index: number;
  readonly waitMs: number;
  /** Monotonic milliseconds before the store was called: by its clock the wait ends no earlier. */
  readonly requestedAt: number;
}

/** An amount is not part of a bucket's key: a limit that was raised since has another amount. */
const isSameLimit = ({ limit: one }: Rule, { limit: other }: Rule): boolean =>
  one.amount === other.amount && one.burst === other.burst;

/** The limits of `requests` that have no room, so that the next request is refused before its body is read. */
export class ExhaustedLimits {
  readonly #byBucket = new Map<string, Exhausted>();

  /** Remembers a refusal by a limit of `requests` that applies before the body is read. Others are ignored. */
  note(caller: Caller, ruling: Ruling, requestedAt: number): void {
    const { charge: index, waitMs } = ruling.decision.refusedBy ?? { charge: -1, waitMs: 0 };
    const rule = ruling.rules[index];
    if (
      rule === undefined ||
      rule.limit.unit !== 'requests' ||
      rule.limit.models.length > 0 ||
      rule.limit.each !== undefined
    )
      return;
    setBounded(this.#byBucket, MAX_LIMITS, rule.bucket.key, { caller, ruling, index, waitMs, requestedAt });
  }

  /** A request was given back to this limit: it has room again. */
  forget(rule: Rule): void {
    this.#byBucket.delete(rule.bucket.key);
  }

  /**
   * Returns the limit that would refuse a request now.
   * @param degraded whether the shared store is not available: its refusals do not apply to this host, nor the reverse
   * @param now monotonic milliseconds
   */
  find(rules: readonly Rule[], degraded: boolean, now: number): Exhausted | undefined {
    if (this.#byBucket.size === 0) return undefined;
    for (const rule of rules) {
      const found = this.#byBucket.get(rule.bucket.key);
      const refused = found?.ruling.rules[found.index];
      if (found === undefined || refused === undefined) continue;
      const isValid = found.ruling.degraded === degraded && isSameLimit(refused, rule);
      if (isValid && now < found.requestedAt + Math.min(found.waitMs, REPEAT_MS)) return found;
    }
    return undefined;
  }
}
