import type { Clock } from '../../../core/api/index.ts';
import type { BucketState, Charge, Decision, LimitStore, ReserveRequest, Spent, BaselineSpan } from './store.ts';
import { Reservations, type Reservation } from './memory/reservations.ts';
import { Tallies } from './memory/tallies.ts';
import type { Moment, BaselineWindow, Tally } from './memory/tally.ts';

const missingBaselineOf = (tally: Tally, charge: Charge, now: Moment): BaselineSpan | undefined =>
  charge.bucket.account === undefined || charge.baseline === 'later' ? undefined : tally.missingBaseline?.(charge, now);

const stateOf = (tally: Tally, charge: Charge, waitMs: number, now: Moment): BucketState => {
  const remaining = tally.remaining(charge, now);
  const resetMs = tally.resetMs(charge, now);
  const shadowed = waitMs > 0 && !charge.bucket.enforce;
  if (tally.spent === undefined) return { remaining, resetMs, shadowed };
  const spent = tally.spent(tally.mark(charge, now));
  const missingBaseline = missingBaselineOf(tally, charge, now);
  if (missingBaseline !== undefined) return { remaining, resetMs, shadowed, spent, missingBaseline };
  const { dueAt = Infinity } = tally;
  const staleBaseline = now.wall < dueAt ? undefined : tally.staleBaseline?.(charge, now);
  return staleBaseline === undefined
    ? { remaining, resetMs, shadowed, spent }
    : { remaining, resetMs, shadowed, spent, staleBaseline };
};

/**
 * The store in the memory of this process: no call makes a promise. It counts by the same rules as Redis, and outlives
 * reloads.
 */
export class MemoryStore implements LimitStore {
  private readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  private readonly tallies: Tallies;
  private readonly reservations = new Reservations();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, tallies = new Tallies()) {
    this.clock = clock;
    this.tallies = tallies;
  }

  reserve(request: ReserveRequest): Decision {
    const { tenant, charges } = request;
    const now = this.begin();
    const tallies: Tally[] = [];
    const waits: number[] = [];
    let isUndecided = false;
    let refusedBy = -1;
    let longestMs = 0;
    for (const charge of charges) {
      const { bucket, amount } = charge;
      const tally = this.tallies.of(tenant, bucket);
      if (charge.known !== undefined) this.recount(request, charge, tally, now);
      // The baseline is counted from now on, even if the request that brought it is refused.
      if (charge.baseline !== undefined) this.applyBaseline(tenant, charge, tally, now);
      const waitMs = amount === 0 ? 0 : tally.waitMs(charge, now);
      if (missingBaselineOf(tally, charge, now) !== undefined) isUndecided = true;
      // The refused charge with the longest wait is reported.
      if (waitMs > longestMs && bucket.enforce) {
        refusedBy = tallies.length;
        longestMs = waitMs;
      }
      tallies.push(tally);
      waits.push(waitMs);
    }
    const admitted = !isUndecided && refusedBy === -1;
    if (admitted) this.take(request, tallies, now);
    const states: BucketState[] = [];
    for (let at = 0; at < tallies.length; at += 1) {
      const [tally, charge] = [tallies[at], charges[at]];
      if (tally !== undefined && charge !== undefined) states.push(stateOf(tally, charge, waits[at] ?? 0, now));
    }
    return admitted || isUndecided
      ? { admitted, states }
      : { admitted, states, refusedBy: { charge: refusedBy, waitMs: longestMs } };
  }

  /** No baseline contains what is settled here: a settlement does not wait. */
  settle(tenant: string, id: string, actual: readonly number[]): readonly Spent[] | undefined {
    const now = this.begin();
    const reservation = this.reservations.remove(tenant, id);
    return reservation && this.replace(reservation, actual, now);
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void {
    const now = this.begin();
    for (const id of ids) this.reservations.refresh(tenant, id, leaseMs, now.monotonic);
  }

  renew(tenant: string, charges: readonly Charge[]): void {
    const now = this.begin();
    for (const charge of charges)
      if (charge.baseline !== undefined)
        this.applyBaseline(tenant, charge, this.tallies.of(tenant, charge.bucket), now);
  }

  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] {
    const now = this.begin();
    return charges.map((charge) => stateOf(this.tallies.of(tenant, charge.bucket), charge, 0, now));
  }

  /**
   * The current windows that began with a baseline. Not those of users and tags: there could be too many of them to
   * read again.
   */
  baselineWindows(): readonly BaselineWindow[] {
    const now = this.begin();
    return [...this.tallies.entries()]
      .flatMap(([, , tally]) => tally.baselineWindows?.(now) ?? [])
      .filter(({ account: { user, tag } }) => user === undefined && tag === undefined);
  }

  /** Reads the clocks, and releases reservations whose leases have expired. Called before anything is counted. */
  private begin(): Moment {
    const now = { monotonic: Math.floor(this.clock.monotonic()), wall: this.clock.now() };
    for (const orphan of this.reservations.removeExpired(now.monotonic))
      this.replace(
        orphan,
        orphan.charges.map(({ kept = 0 }) => kept),
        now,
      );
    return now;
  }

  private recount({ tenant, sinceFaultMs }: ReserveRequest, charge: Charge, tally: Tally, now: Moment): void {
    tally.recount?.(charge, now, sinceFaultMs === undefined ? 0 : now.wall - sinceFaultMs);
    this.tallies.keep(tenant, charge.bucket, tally);
  }

  private applyBaseline(tenant: string, charge: Charge, tally: Tally, now: Moment): void {
    tally.applyBaseline?.(charge, now);
    this.tallies.keep(tenant, charge.bucket, tally);
  }

  private take(request: ReserveRequest, tallies: readonly Tally[], now: Moment): void {
    const { tenant, charges } = request;
    const marks: number[] = [];
    for (let at = 0; at < tallies.length; at += 1) {
      const [tally, charge] = [tallies[at], charges[at]];
      if (tally === undefined || charge === undefined) continue;
      marks.push(tally.mark(charge, now));
      if (charge.amount === 0) continue;
      tally.take(charge, now);
      this.tallies.keep(tenant, charge.bucket, tally);
    }
    this.reservations.add(request, marks, now.monotonic);
    this.tallies.sweep(now);
  }

  private replace(
    { tenant, charges, marks, isLate }: Reservation,
    actual: readonly number[],
    now: Moment,
  ): readonly Spent[] {
    const spent: Spent[] = [];
    for (const [index, charge] of charges.entries()) {
      const tally = this.tallies.of(tenant, charge.bucket);
      const start = marks[index] ?? 0;
      tally.settle(charge, start, actual[index] ?? 0, now, isLate);
      if (!tally.isIdle(now)) this.tallies.keep(tenant, charge.bucket, tally);
      if (tally.spent !== undefined) spent.push({ charge: index, start, spent: tally.spent(start) });
    }
    return spent;
  }
}
