import type { BucketState, Charge, Decision, LimitStore, ReserveRequest, Spent } from '../store.ts';
import { SPAN_MS } from './demand.ts';
import type { Grant } from './grant.ts';
import { isGrantable, NEVER, type Clocks, type Taken } from './holding.ts';
import { readClocks, TenantGrants, type GrantParts } from './tenant-grants.ts';

interface LocalReservation {
  readonly tenant: string;
  readonly taken: readonly (Taken & { readonly grant: Grant })[];
}

/**
 * Takes parts of buckets from the shared store in advance, and decides about requests that fit into them, without a
 * call. Any other request is decided by the store, which counts what is granted as used: never too much is admitted. A
 * request never waits for a grant.
 */
export class GrantStore implements LimitStore {
  readonly #parts: GrantParts;
  readonly #tenants = new Map<string, TenantGrants>();
  readonly #reservations = new Map<string, LocalReservation>();
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param hasTimer false: `tick` is called by someone else */
  constructor(parts: GrantParts, hasTimer = true) {
    this.#parts = parts;
    this.#timer = hasTimer ? setInterval(() => void this.tick(), SPAN_MS).unref() : undefined;
  }

  /** Returns a promise only if the store decides. */
  reserve(request: ReserveRequest): Decision | Promise<Decision> {
    const tenant = this.#tenantOf(request.tenant, request.leaseMs);
    const now = readClocks(this.#parts);
    const fault = this.#parts.breaker.faultedAt;
    const grants: (Grant | undefined)[] = [];
    let [isCovered, isOpen] = [true, true];
    for (const charge of request.charges) {
      const grant = isGrantable(charge.bucket) ? tenant.of(charge) : undefined;
      grants.push(grant);
      grant?.demand.use();
      isOpen &&= grant?.demand.isOpen(now.monotonic) === true;
      isCovered &&= grant !== undefined && charge.baseline === undefined && grant.covers(charge, now, fault);
    }
    return isCovered
      ? this.#take(request, tenant, grants as readonly Grant[], now)
      : this.#reserveInStore(request, tenant, grants, isOpen);
  }

  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
    endedAt = NEVER,
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined> {
    const reservation = this.#reservations.get(id);
    if (reservation?.tenant !== tenant) return this.#parts.breaker.settle(tenant, id, actual, endedAt);
    this.#reservations.delete(id);
    const spent: Spent[] = [];
    let isUrgent = false;
    const now = readClocks(this.#parts);
    for (const [index, taken] of reservation.taken.entries()) {
      const { grant, holding, charge } = taken;
      if (grant.settle(taken, actual[index] ?? 0, endedAt, now)) isUrgent = true;
      const inWindow = holding && charge.bucket.kind === 'calendar' ? grant.spentIn(holding) : undefined;
      if (holding !== undefined && inWindow !== undefined)
        spent.push({ charge: index, start: holding.mark, spent: inWindow });
    }
    // More was used than is held: until the store has counted it, others could be admitted.
    if (isUrgent) this.#tenants.get(tenant)?.sendNow();
    return spent;
  }

  /** Reservations that were made here are renewed with their grants. */
  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void> {
    const others = ids.filter((id) => !this.#reservations.has(id));
    if (others.length > 0) return this.#parts.breaker.refresh(tenant, others, leaseMs);
  }

  peek(tenant: string, charges: readonly Charge[]): Promise<readonly BucketState[]> {
    return this.#parts.breaker.peek(tenant, charges);
  }

  renew(tenant: string, charges: readonly Charge[]): Promise<void> {
    return this.#parts.breaker.renew(tenant, charges);
  }

  /** Ends a span: reports what was used, takes what was used in it, and gives back the rest. Called by the timer. */
  async tick(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    await Promise.all(
      [...this.#tenants.values()].map((tenant) => {
        if (tenant.isEmpty) this.#tenants.delete(tenant.name);
        return tenant.tick(now);
      }),
    );
  }

  /** Gives back everything that no running exchange holds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#tenants.values()].map((tenant) => tenant.close()));
  }

  #tenantOf(name: string, leaseMs: number): TenantGrants {
    let found = this.#tenants.get(name);
    if (found === undefined) this.#tenants.set(name, (found = new TenantGrants(name, this.#parts, leaseMs)));
    found.leaseMs = leaseMs;
    return found;
  }

  #take({ id, charges }: ReserveRequest, tenant: TenantGrants, grants: readonly Grant[], now: Clocks): Decision {
    const taken: (Taken & { readonly grant: Grant })[] = [];
    const states: BucketState[] = [];
    let isLow = false;
    for (let at = 0; at < charges.length; at += 1) {
      const [charge, grant] = [charges[at], grants[at]];
      if (charge === undefined || grant === undefined) continue;
      taken.push({ grant, holding: grant.take(charge), charge });
      states.push(grant.stateAt(now));
      isLow ||= grant.isLow(now.monotonic);
    }
    this.#reservations.set(id, { tenant: tenant.name, taken });
    if (isLow) void tenant.send();
    return { admitted: true, states };
  }

  /** @param isOpen whether grants could have decided: they are taken for the next requests */
  async #reserveInStore(
    request: ReserveRequest,
    tenant: TenantGrants,
    grants: readonly (Grant | undefined)[],
    isOpen: boolean,
  ): Promise<Decision> {
    for (let isAgain = false; ; isAgain = true) {
      const decision = await this.#parts.breaker.reserve(request);
      if (decision.admitted && isOpen) {
        for (const [index, { amount, kept }] of request.charges.entries()) grants[index]?.expect(amount, kept);
        void tenant.send();
      }
      const refusing = grants[decision.refusedBy?.charge ?? -1];
      // It is not refused while this process holds a part of the bucket. Once: a busy process must not wait for long.
      if (refusing === undefined || isAgain || !(await tenant.giveBack(refusing))) return decision;
    }
  }
}
