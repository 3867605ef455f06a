import type { Charge, ReserveRequest } from '../store.ts';
import type { EntryKey } from './entries.ts';

/** Where the charges of a reservation are counted. */
interface Counted {
  readonly entryKeys: readonly EntryKey[];
  /** The position at which each charge was counted. */
  readonly marks: readonly number[];
  /** Where the memory has it for the case that this thread ends; 0: nowhere. */
  readonly record: number;
}

/** Charges that were taken and are not settled. */
export interface Reservation extends Counted {
  readonly tenant: string;
  readonly id: string;
  readonly charges: readonly Charge[];
  readonly leaseMs: number;
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
  /** Its lease has expired: the amounts of its charges were kept, and the rest was given back. */
  readonly isLate: boolean;
}

/** How long a reservation can be settled after its lease has expired: its process may only have been unreachable. */
const LATE_MS = 3_600_000;
const none: readonly Reservation[] = [];

/**
 * Keeps one queue per lease length, by id. The first in a queue is the first to expire, so expired reservations are
 * found without a look at the others.
 */
export class Reservations {
  readonly #queues = new Map<number, Map<string, Reservation>>();
  /** Expired reservations, in the order in which they expired. */
  readonly #late = new Map<string, Reservation>();
  /** Nothing expires before then. */
  #nextDue = Infinity;

  add({ tenant, id, charges, leaseMs }: ReserveRequest, { entryKeys, marks, record }: Counted, now: number): void {
    this.#put({ tenant, id, charges, entryKeys, marks, record, leaseMs, expiresAt: now + leaseMs, isLate: false });
  }

  find(tenant: string, id: string): Reservation | undefined {
    let reservation = this.#late.get(id);
    for (const queue of this.#queues.values()) reservation = queue.get(id) ?? reservation;
    return reservation?.tenant === tenant ? reservation : undefined;
  }

  remove(reservation: Reservation): void {
    const { id, leaseMs, isLate } = reservation;
    if (isLate) this.#late.delete(id);
    else this.#queues.get(leaseMs)?.delete(id);
  }

  refresh(tenant: string, id: string, leaseMs: number, now: number): void {
    const reservation = this.find(tenant, id);
    if (reservation === undefined || reservation.isLate) return;
    this.remove(reservation);
    this.#put({ ...reservation, leaseMs, expiresAt: now + leaseMs });
  }

  /** Removes and returns those whose lease has expired. For an hour `remove` still finds them. */
  removeExpired(now: number): readonly Reservation[] {
    if (now < this.#nextDue) return none;
    const expired: Reservation[] = [];
    for (const [leaseMs, queue] of this.#queues) {
      for (const reservation of queue.values()) {
        if (reservation.expiresAt > now) break;
        expired.push(reservation);
      }
      if (queue.size === 0) this.#queues.delete(leaseMs);
    }
    for (const [id, { expiresAt }] of this.#late) {
      if (now - expiresAt < LATE_MS) break;
      this.#late.delete(id);
    }
    for (const reservation of expired) {
      const { id, charges } = reservation;
      this.remove(reservation);
      this.#late.set(id, {
        ...reservation,
        isLate: true,
        record: 0,
        charges: charges.map((charge) => ({ ...charge, amount: charge.kept ?? 0 })),
      });
    }
    this.#nextDue = this.#findNextDue();
    return expired;
  }

  #put(reservation: Reservation): void {
    const { id, leaseMs, expiresAt } = reservation;
    const queue = this.#queues.get(leaseMs);
    if (queue === undefined) this.#queues.set(leaseMs, new Map([[id, reservation]]));
    else queue.set(id, reservation);
    if (expiresAt < this.#nextDue) this.#nextDue = expiresAt;
  }

  #findNextDue(): number {
    let due = Infinity;
    for (const queue of this.#queues.values())
      for (const { expiresAt } of queue.values().take(1)) due = Math.min(due, expiresAt);
    for (const { expiresAt } of this.#late.values().take(1)) due = Math.min(due, expiresAt + LATE_MS);
    return due;
  }
}
