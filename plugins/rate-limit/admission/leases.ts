import { GatewayError, readDuration, type Clock } from '../../../core/api/index.ts';
import type { LimitStore } from '../store/store.ts';

interface HeldReservation {
  readonly store: LimitStore;
  readonly tenant: string;
  readonly since: number;
}

const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/**
 * `config.lease` in milliseconds. A shorter lease would expire while its exchange runs; a longer one would hold for too
 * long what a crash left behind.
 * @throws GatewayError `KOINE_CONFIG_INVALID`
 */
export function readLease(text: string): number {
  const milliseconds = readDuration(text);
  if (milliseconds >= SHORTEST_MS && milliseconds <= LONGEST_MS) return milliseconds;
  throw new GatewayError('KOINE_CONFIG_INVALID', `lease is ${text}; write a length of time between 1s and 1h.`);
}

/**
 * Keeps the reservations of this process alive while their exchanges run. One timer serves all of them: most exchanges
 * end before their lease has to be refreshed.
 */
export class Leases {
  readonly #leaseMs: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By id, in the order of `since`: a refresh moves a reservation to the end. */
  readonly #held = new Map<string, HeldReservation>();
  readonly #timer: NodeJS.Timeout;
  #lastDropped: string | undefined;

  constructor(leaseMs: number, clock: Pick<Clock, 'monotonic'>) {
    this.#leaseMs = leaseMs;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.refresh(), leaseMs / 6).unref();
  }

  get size(): number {
    return this.#held.size;
  }

  hold(store: LimitStore, tenant: string, id: string): void {
    this.#held.set(id, { store, tenant, since: this.#clock.monotonic() });
  }

  drop(id: string): void {
    if (this.#held.delete(id)) this.#lastDropped = id;
  }

  /** Whether the exchange that is being settled has a reservation. The end of its entry comes after that of `admit`. */
  covers(id: string): boolean {
    return this.#held.has(id) || this.#lastDropped === id;
  }

  /** Refreshes the leases that are older than a third of their length. Called by the timer. */
  async refresh(): Promise<void> {
    await Promise.all(
      [...this.#findDue()].flatMap(([store, tenants]) =>
        [...tenants].map(([tenant, ids]) => this.#refreshTenant(store, tenant, ids)),
      ),
    );
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #findDue(): Map<LimitStore, Map<string, string[]>> {
    const now = this.#clock.monotonic();
    const due = new Map<LimitStore, Map<string, string[]>>();
    for (const [id, { store, tenant, since }] of this.#held) {
      if (now - since < this.#leaseMs / 3) break;
      const tenants = due.get(store) ?? new Map<string, string[]>();
      const ids = tenants.get(tenant);
      if (ids === undefined) tenants.set(tenant, [id]);
      else ids.push(id);
      due.set(store, tenants);
    }
    return due;
  }

  async #refreshTenant(store: LimitStore, tenant: string, ids: readonly string[]): Promise<void> {
    try {
      await store.refresh(tenant, ids, this.#leaseMs);
    } catch {
      // The store has logged its failure. The next run of the timer tries again.
      return;
    }
    const since = this.#clock.monotonic();
    for (const id of ids) if (this.#held.delete(id)) this.#held.set(id, { store, tenant, since });
  }
}
