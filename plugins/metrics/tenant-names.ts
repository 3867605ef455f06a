/** A tenant needs so many requests before its share of them says something. */
const MIN_REQUESTS = 20;
/** Tenants whose requests are counted. Beyond it, counting begins anew for those without a name. */
const MAX_COUNTED = 10_000;

/**
 * Decides which tenants have series of their own; all others share the series `other`.
 *
 * The first half of the names goes to the first tenants. The other half is kept for large ones: a tenant gets one when
 * its share of all requests reaches 1 / (4 × names left). So small tenants cannot take the last names, whatever the
 * order in which tenants appear.
 *
 * A name is never taken back, since a counter must not fall. A tenant moves at most once, from `other` to its name, and
 * what it has counted before stays in `other`: every series only grows, and their sum is exact at any time.
 */
export class TenantNames {
  readonly #max: number;
  readonly #named = new Set<string>();
  /** Requests of tenants without a name. */
  readonly #unnamed = new Map<string, number>();
  #total = 0;
  /** Whether this thread may give names. A worker first adopts those that other workers have given. */
  #isOpen: boolean;

  constructor(max: number, isOpen: boolean) {
    this.#max = max;
    this.#isOpen = isOpen;
  }

  /** Counts a request of a tenant. @returns whether it has a name */
  count(tenant: string): boolean {
    this.#total += 1;
    if (this.#named.has(tenant)) return true;
    const requests = (this.#unnamed.get(tenant) ?? 0) + 1;
    if (this.#isOpen && this.#deservesName(requests)) {
      this.#unnamed.delete(tenant);
      this.#named.add(tenant);
      return true;
    }
    if (this.#unnamed.size >= MAX_COUNTED) this.#unnamed.clear();
    this.#unnamed.set(tenant, requests);
    return false;
  }

  list(): readonly string[] {
    return [...this.#named];
  }

  /** Adds names that other processes have given, even beyond the maximum: a series must be the same in all of them. */
  adopt(names: readonly string[]): void {
    this.#isOpen = true;
    for (const name of names) {
      this.#named.add(name);
      this.#unnamed.delete(name);
    }
  }

  #deservesName(requests: number): boolean {
    const left = this.#max - this.#named.size;
    if (left > this.#max / 2) return true;
    return left > 0 && requests >= MIN_REQUESTS && requests * 4 * left >= this.#total;
  }
}
