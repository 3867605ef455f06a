import type { AuditEntry } from './audit-entry.ts';

/** Most different failures that are counted at the same time. */
const MOST = 1_000;

/**
 * Failed calls of the last minute. The first one of an actor, a call and a status is written at once. Its repetitions
 * are counted, and become one entry: a flood of refusals does not fill the audit log.
 */
export class RepeatedFailures {
  #counted = new Map<string, AuditEntry & { readonly count: number }>();

  /** Whether another kind of failure would exceed the memory: {@link take} makes room. */
  get isFull(): boolean {
    return this.#counted.size >= MOST;
  }

  /** @returns whether it is a repetition, which was counted */
  add(entry: AuditEntry): boolean {
    const { kind, issuer, subject, actor, role, action, status } = entry;
    const key = JSON.stringify([kind, issuer, subject, actor, role, action, status]);
    const known = this.#counted.get(key);
    this.#counted.set(key, { ...entry, count: known === undefined ? 0 : known.count + 1 });
    return known !== undefined;
  }

  /** The counted repetitions, each with the time and the address of the last one. Counting begins anew. */
  take(): readonly AuditEntry[] {
    const counted = [...this.#counted.values()].filter(({ count }) => count > 0);
    this.#counted = new Map();
    return counted;
  }
}
