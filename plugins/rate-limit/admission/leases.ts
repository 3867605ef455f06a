import { GatewayError, readDuration, type Clock } from '../../../core/index.ts';
import type { LimitStore } from '../store/store.ts';

/** The reservations of this process whose exchanges are still running. */
export interface Leases {
  readonly size: number;
  hold(store: LimitStore, tenant: string, id: string): void;
  drop(id: string): void;
  holds(id: string): boolean;
  /** Tells the stores of those that have not been told of for a third of the lease. A timer does that. */
  refresh(): Promise<void>;
  close(): void;
}

interface Held {
  readonly store: LimitStore;
  readonly tenant: string;
  readonly since: number;
}

const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/**
 * `config.lease` in milliseconds. A shorter one runs out under exchanges that go on, with what they reserved; a longer one keeps what a crash left.
 * @throws GatewayError `KOINE_CONFIG_INVALID`
 */
export function readLease(text: string): number {
  const milliseconds = readDuration(text);
  if (milliseconds >= SHORTEST_MS && milliseconds <= LONGEST_MS) return milliseconds;
  throw new GatewayError('KOINE_CONFIG_INVALID', `lease is ${text}; write a length of time between 1s and 1h.`);
}

/** One timer for all: most exchanges end before anybody has to hear of them. */
export function createLeases(leaseMs: number, clock: Pick<Clock, 'monotonic'>): Leases {
  // In the order of `since`: who is told of goes to the end.
  const held = new Map<string, Held>();

  const takeDue = (): Map<LimitStore, Map<string, string[]>> => {
    const now = clock.monotonic();
    const due = new Map<LimitStore, Map<string, string[]>>();
    for (const [id, { store, tenant, since }] of held) {
      if (now - since < leaseMs / 3) break;
      const tenants = due.get(store) ?? new Map<string, string[]>();
      const ids = tenants.get(tenant);
      if (ids === undefined) tenants.set(tenant, [id]);
      else ids.push(id);
      due.set(store, tenants);
    }
    return due;
  };
  const refreshOne = async (store: LimitStore, tenant: string, ids: readonly string[]): Promise<void> => {
    try {
      await store.refresh(tenant, ids, leaseMs);
    } catch {
      // Whoever guards the store has noted it; the next turn tries again.
      return;
    }
    for (const id of ids) if (held.delete(id)) held.set(id, { store, tenant, since: clock.monotonic() });
  };
  const refresh = async (): Promise<void> => {
    await Promise.all(
      [...takeDue()].flatMap(([store, tenants]) => [...tenants].map(([tenant, ids]) => refreshOne(store, tenant, ids))),
    );
  };
  const timer = setInterval(() => void refresh(), leaseMs / 6).unref();
  return {
    get size() {
      return held.size;
    },
    hold: (store, tenant, id) => void held.set(id, { store, tenant, since: clock.monotonic() }),
    drop: (id) => void held.delete(id),
    holds: (id) => held.has(id),
    refresh,
    close: () => clearInterval(timer),
  };
}
