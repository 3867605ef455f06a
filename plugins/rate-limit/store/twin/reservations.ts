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
}

export interface Reservations {
  add(request: ReserveRequest, marks: readonly number[], now: number): void;
  /** Takes it out. */
  remove(tenant: string, id: string): Reservation | undefined;
  refresh(tenant: string, id: string, leaseMs: number, now: number): void;
  /** Takes out those that have run out. */
  removeExpired(now: number): readonly Reservation[];
}

/** In rows of one lease length each, in which the first to come is the first to run out: what has expired is found without looking at the rest. */
export const createReservations = (): Reservations => {
  const byId = new Map<string, Reservation>();
  const rows = new Map<number, Set<Reservation>>();
  const none: readonly Reservation[] = [];
  const add = (reservation: Reservation): void => {
    byId.set(reservation.id, reservation);
    const row = rows.get(reservation.leaseMs);
    if (row === undefined) rows.set(reservation.leaseMs, new Set([reservation]));
    else row.add(reservation);
  };
  const remove = (tenant: string, id: string): Reservation | undefined => {
    const reservation = byId.get(id);
    if (reservation?.tenant !== tenant) return undefined;
    byId.delete(id);
    const row = rows.get(reservation.leaseMs);
    row?.delete(reservation);
    if (row?.size === 0) rows.delete(reservation.leaseMs);
    return reservation;
  };
  return {
    add: ({ tenant, id, charges, leaseMs }, marks, now) => add({ tenant, id, charges, marks, leaseMs, expiresAt: now + leaseMs }),
    remove,
    refresh: (tenant, id, leaseMs, now) => {
      const reservation = remove(tenant, id);
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
      for (const { tenant, id } of expired ?? none) remove(tenant, id);
      return expired ?? none;
    },
  };
};
