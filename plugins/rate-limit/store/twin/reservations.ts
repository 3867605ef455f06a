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

export interface Reservations {
  add(request: ReserveRequest, marks: readonly number[], now: number): void;
  /** Takes it out. */
  remove(tenant: string, id: string): Reservation | undefined;
  refresh(tenant: string, id: string, leaseMs: number, now: number): void;
  /** Takes out those that have run out. For an hour they can still be removed: their holders may only have been away. */
  removeExpired(now: number): readonly Reservation[];
}

const LATE_MS = 3_600_000;

/** In rows of one lease length each, in which the first to come is the first to run out: what has expired is found without looking at the rest. */
export const createReservations = (): Reservations => {
  const byId = new Map<string, Reservation>();
  const rows = new Map<number, Set<Reservation>>();
  /** In the order in which they ran out. */
  const late = new Map<string, Reservation>();
  const none: readonly Reservation[] = [];
  const add = (reservation: Reservation): void => {
    byId.set(reservation.id, reservation);
    const row = rows.get(reservation.leaseMs);
    if (row === undefined) rows.set(reservation.leaseMs, new Set([reservation]));
    else row.add(reservation);
  };
  const remove = (tenant: string, id: string): Reservation | undefined => {
    const reservation = byId.get(id) ?? late.get(id);
    if (reservation?.tenant !== tenant) return undefined;
    if (late.delete(id)) return reservation;
    byId.delete(id);
    const row = rows.get(reservation.leaseMs);
    row?.delete(reservation);
    if (row?.size === 0) rows.delete(reservation.leaseMs);
    return reservation;
  };
  return {
    add: ({ tenant, id, charges, leaseMs }, marks, now) => add({ tenant, id, charges, marks, leaseMs, expiresAt: now + leaseMs, isLate: false }),
    remove,
    refresh: (tenant, id, leaseMs, now) => {
      const reservation = late.has(id) ? undefined : remove(tenant, id);
      if (reservation !== undefined) add({ ...reservation, leaseMs, expiresAt: now + leaseMs });
    },
    removeExpired: (now) => {
      let expired: Reservation[] | undefined;
      for (const row of rows.values()) {
        for (const reservation of row) {
          if (reservation.expiresAt > now) break;
          (expired ??= []).push(reservation);
        }
      }
      for (const [id, { expiresAt }] of late) {
        if (now - expiresAt < LATE_MS) break;
        late.delete(id);
      }
      for (const reservation of expired ?? none) {
        const { tenant, id, charges } = reservation;
        remove(tenant, id);
        late.set(id, { ...reservation, isLate: true, charges: charges.map((charge) => ({ ...charge, amount: charge.kept ?? 0 })) });
      }
      return expired ?? none;
    },
  };
};
