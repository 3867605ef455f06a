import type { Charge, ReserveRequest } from '../store.ts';

/** What was taken and not yet settled. */
export interface Reservation {
  readonly tenant: string;
  readonly id: string;
  readonly charges: readonly Charge[];
  /** Where each charge was counted. */
  readonly marks: readonly number[];
  readonly leaseMs: number;
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
  /** It has run out before: what its charges say has been kept, the rest was given back. */
  readonly isLate: boolean;
}

/** For so long after it ran out a reservation can still be settled: its holder may only have been away. */
const LATE_MS = 3_600_000;
const none: readonly Reservation[] = [];

/** In rows of one lease length each, in which the first to come is the first to run out: what has expired is found without looking at the rest. */
export class Reservations {
  private readonly byId = new Map<string, Reservation>();
  private readonly rows = new Map<number, Set<Reservation>>();
  /** In the order in which they ran out. */
  private readonly late = new Map<string, Reservation>();
  /** Nothing is due before then. */
  private nextDue = Infinity;

  add({ tenant, id, charges, leaseMs }: ReserveRequest, marks: readonly number[], now: number): void {
    this.put({ tenant, id, charges, marks, leaseMs, expiresAt: now + leaseMs, isLate: false });
  }

  /** Takes it out. */
  remove(tenant: string, id: string): Reservation | undefined {
    const reservation = this.byId.get(id) ?? this.late.get(id);
    if (reservation?.tenant !== tenant) return undefined;
    if (reservation.isLate) {
      this.late.delete(id);
      return reservation;
    }
    this.byId.delete(id);
    this.rows.get(reservation.leaseMs)?.delete(reservation);
    return reservation;
  }

  refresh(tenant: string, id: string, leaseMs: number, now: number): void {
    if (this.late.has(id)) return;
    const reservation = this.remove(tenant, id);
    if (reservation !== undefined) this.put({ ...reservation, leaseMs, expiresAt: now + leaseMs });
  }

  /** Takes out those that have run out. For an hour they can still be removed. */
  removeExpired(now: number): readonly Reservation[] {
    if (now < this.nextDue) return none;
    const expired: Reservation[] = [];
    for (const [leaseMs, row] of this.rows) {
      for (const reservation of row) {
        if (reservation.expiresAt > now) break;
        expired.push(reservation);
      }
      if (row.size === 0) this.rows.delete(leaseMs);
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
    const row = this.rows.get(reservation.leaseMs);
    if (row === undefined) this.rows.set(reservation.leaseMs, new Set([reservation]));
    else row.add(reservation);
    if (reservation.expiresAt < this.nextDue) this.nextDue = reservation.expiresAt;
  }

  private findNextDue(): number {
    let due = Infinity;
    for (const row of this.rows.values())
      for (const { expiresAt } of row.values().take(1)) due = Math.min(due, expiresAt);
    for (const { expiresAt } of this.late.values().take(1)) due = Math.min(due, expiresAt + LATE_MS);
    return due;
  }
}
