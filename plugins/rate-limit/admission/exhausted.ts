import { setBounded, type Caller } from '../../../core/index.ts';
import type { Ruling } from './decide.ts';
import type { Rule } from '../rules/rules.ts';

/** A store's refusal is believed for so long: another process may give back a request for which no upstream was called. */
const TRUST_MS = 1_000;
/** Limits remembered at once; the oldest is dropped. */
const MOST = 1_000;

/** A limit of `requests` that had no room when the store last decided. */
export interface Exhausted {
  readonly caller: Caller;
  readonly ruling: Ruling;
  /** Of the limit that refused, among the rules of the ruling. */
  readonly index: number;
  readonly waitMs: number;
  /** Monotonic milliseconds, taken before the store was asked: the wait ends no earlier by its clock. */
  readonly askedAt: number;
}

/** Remembers which limits of `requests` have no room, so that the next request is refused before its body is read. */
export interface ExhaustedLimits {
  /** Remembers a refusal by a limit of `requests` that counts every model, and no other. */
  note(caller: Caller, ruling: Ruling, askedAt: number): void;
  /** A request was given back to this limit. */
  forget(rule: Rule): void;
  /**
   * What would refuse a request now.
   * @param degraded whether the shared store is away: its refusals and those of this host are not mixed
   * @param now monotonic milliseconds
   */
  find(rules: readonly Rule[], degraded: boolean, now: number): Exhausted | undefined;
}

/** The key of a bucket names no figures: a limit that was raised since has another amount. */
const isSameLimit = ({ limit: one }: Rule, { limit: other }: Rule): boolean =>
  one.amount === other.amount && one.burst === other.burst;

export function createExhaustedLimits(): ExhaustedLimits {
  const byBucket = new Map<string, Exhausted>();
  return {
    note: (caller, ruling, askedAt) => {
      const { charge: index, waitMs } = ruling.decision.refusedBy ?? { charge: -1, waitMs: 0 };
      const rule = ruling.rules[index];
      if (rule === undefined || rule.limit.unit !== 'requests' || rule.limit.models.length > 0) return;
      setBounded(byBucket, MOST, rule.bucket.key, { caller, ruling, index, waitMs, askedAt });
    },
    forget: (rule) => void byBucket.delete(rule.bucket.key),
    find: (rules, degraded, now) => {
      if (byBucket.size === 0) return undefined;
      for (const rule of rules) {
        const found = byBucket.get(rule.bucket.key);
        const refused = found?.ruling.rules[found.index];
        if (found === undefined || refused === undefined) continue;
        const isValid = found.ruling.degraded === degraded && isSameLimit(refused, rule);
        if (isValid && now < found.askedAt + Math.min(found.waitMs, TRUST_MS)) return found;
      }
      return undefined;
    },
  };
}
