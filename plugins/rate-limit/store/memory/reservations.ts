import type { Charge, ReserveRequest } from '../store.ts';

/** Charges that were taken and are not settled. */
export interface Reservation {
  readonly tenant: string;
  readonly id: string;
  readonly charges: readonly Charge[];
  /** The position at which each charge was counted. */
  readonly marks: readonly number[];
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
 * Keeps one queue per lease length. The first in a queue is the first to expire, so expired reservations are found
 * without a look at the others.
 */
export class Reservations {
  private readonly byId = new Map<string, Reservation>();
  private readonly queues = new Map<number, Set<Reservation>>();
  /** Expired reservations, in the order in which they expired. */
  private readonly late = new Map<string, Reservation>();
  /** Nothing expires before then. */
  private nextDue = Infinity;

  add({ tenant, id, charges, leaseMs }: ReserveRequest, marks: readonly number[], now: number): void {
    this.put({ tenant, id, charges, marks, leaseMs, expiresAt: now + leaseMs, isLate: false });
  }

  /** Removes and returns a reservation. */
  remove(tenant: string, id: string): Reservation | undefined {
    const reservation = this.byId.get(id) ?? this.late.get(id);
    if (reservation?.tenant !== tenant) return undefined;
    if (reservation.isLate) {
      this.late.delete(id);
      return reservation;
    }
    this.byId.delete(id);
    this.queues.get(reservation.leaseMs)?.delete(reservation);
    return reservation;
  }

  refresh(tenant: string, id: string, leaseMs: number, now: number): void {
    if (this.late.has(id)) return;
    const reservation = this.remove(tenant, id);
    if (reservation !== undefined) this.put({ ...reservation, leaseMs, expiresAt: now + leaseMs });
  }

  /** Removes and returns those whose lease has expired. For an hour `remove` still finds them. */
  removeExpired(now: number): readonly Reservation[] {
    if (now < this.nextDue) return none;
    const expired: Reservation[] = [];
    for (const [leaseMs, queue] of this.queues) {
      for (const reservation of queue) {
        if (reservation.expiresAt > now) break;
        expired.push(reservation);
      }
      if (queue.size === 0) this.queues.delete(leaseMs);
    }
    for (const [id, { expiresAt }] of this.late) {
      if (now - expiresAt < LATE_MS) break;
      this.late.delete(id);
    }
    for (const reservation of expired) {
      const { tenant, id, charges } = reservation;
      this.remove(tenant, id);
      this.late.set(id, {
        ...reservation,
        isLate: true,
        charges: charges.map((charge) => ({ ...charge, amount: charge.kept ?? 0 })),
      });
    }
    this.nextDue = this.findNextDue();
    return expired;
  }

  private put(reservation: Reservation): void {
    this.byId.set(reservation.id, reservation);
    const queue = this.queues.get(reservation.leaseMs);
    if (queue === undefined) this.queues.set(reservation.leaseMs, new Set([reservation]));
    else queue.add(reservation);
    if (reservation.expiresAt < this.nextDue) this.nextDue = reservation.expiresAt;
  }

  private findNextDue(): number {
    let due = Infinity;
    for (const queue of this.queues.values())
      for (const { expiresAt } of queue.values().take(1)) due = Math.min(due, expiresAt);
    for (const { expiresAt } of this.late.values().take(1)) due = Math.min(due, expiresAt + LATE_MS);
    return due;
  }
}
