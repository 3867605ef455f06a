import { randomUUID } from 'node:crypto';
import type { Log } from '../../../core/index.ts';
import type { Meters, StoreOperation } from '../meters.ts';
import { createPendingSettlements, type PendingSettlement } from './pending-settlements.ts';
import { kindOfFailure } from './store-failure.ts';
import type { Decision, LimitStore, ReserveRequest, Spent } from './store.ts';

/** How soon a store that failed is asked again. */
const PROBE_MS = 200;
/** So many calls in a row must fail before the store counts as away: a single late answer is no outage. */
const MOST_FAILURES = 5;
/** The lease of a trial reservation. */
const TRIAL_MS = 1_000;
/** As long as a first connection may take. */
const CONNECT_MS = 500;
const CONNECT_STEP_MS = 20;
const MOST_PENDING = 10_000;

/** The shared store behind a breaker. */
export interface Guard extends LimitStore {
  /** true: it has failed five times in a row, and is not asked until it has answered a probe. */
  readonly open: boolean;
  reserve(request: ReserveRequest): Promise<Decision>;
  /** Settled, or remembered for when the store answers again. Never rejects. */
  settle(tenant: string, id: string, actual: readonly number[]): Promise<readonly Spent[] | undefined>;
  /** Asks whether the store takes reservations again. A timer does that while it is open. */
  probe(): Promise<void>;
  /** Waits for the first connection, and not for long. */
  connect(): Promise<void>;
  close(): void;
}

export interface GuardParts {
  readonly store: LimitStore;
  ping(): Promise<void>;
  readonly meters: Pick<Meters, 'storeError' | 'degraded'>;
  readonly log: Log;
  /** Milliseconds between two probes. */
  readonly probeEvery?: number;
}

/** A reservation like any other, in a bucket that refuses nobody: a store that answers a ping may still take no writes. */
const tryOut = async (store: LimitStore): Promise<void> => {
  const [tenant, id] = ['koine', randomUUID()];
  const bucket = { key: 'probe', kind: 'leases', limit: 1, per: 0, rate: 1, enforce: false } as const;
  await store.reserve({ id, tenant, leaseMs: TRIAL_MS, charges: [{ bucket, amount: 1 }] });
  await store.settle(tenant, id, [0]);
};

/**
 * Five failures in a row open it, and any reservation or settlement that succeeds in between starts the count again. Until then each request waits
 * for its own answer, as long as the store's time-out allows; once it is open none waits. The first probe that succeeds closes it. While it is open,
 * settlements wait; they are told to the store before it takes new reservations.
 */
export function createGuard({ store, ping, meters, log, probeEvery = PROBE_MS }: GuardParts): Guard {
  const pending = createPendingSettlements(MOST_PENDING, () => meters.storeError('settle', 'dropped'));
  let open = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const schedule = (): void => {
    if (!closed) timer ??= setTimeout(() => void guard.probe(), probeEvery).unref();
  };
  const fail = (operation: StoreOperation, error: unknown, most = MOST_FAILURES): void => {
    const kind = kindOfFailure(error);
    meters.storeError(operation, kind);
    failures += 1;
    schedule();
    if (open || failures < most) return;
    open = true;
    meters.degraded(true);
    log.warn({ error, operation, kind }, 'Redis cannot be asked for limits: what onStoreFailure says holds');
  };
  const ask = async <T>(operation: StoreOperation, call: () => T | Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      fail(operation, error);
      throw error;
    }
  };
  const settlePending = ({ tenant, id, actual }: PendingSettlement): unknown => store.settle(tenant, id, actual);

  const guard: Guard = {
    get open() {
      return open;
    },
    reserve: async (request) => {
      try {
        const decision = await store.reserve(request);
        failures = 0;
        return decision;
      } catch (error) {
        fail('reserve', error);
        // It may have been carried out all the same, and nothing else would settle it.
        pending.add({ tenant: request.tenant, id: request.id, actual: request.charges.map(() => 0) });
        throw error;
      }
    },
    settle: async (tenant, id, actual) => {
      try {
        if (!open) {
          const spent = await store.settle(tenant, id, actual);
          failures = 0;
          return spent;
        }
      } catch (error) {
        // No request waits for it: a late answer alone is no outage, and it is told again.
        const kind = kindOfFailure(error);
        if (kind === 'timeout') meters.storeError('settle', kind);
        else fail('settle', error);
      }
      pending.add({ tenant, id, actual });
      schedule();
      return undefined;
    },
    refresh: async (tenant, ids, leaseMs) => {
      if (open) throw new Error('Redis is away: it is told when it has answered a probe.');
      await ask('refresh', () => store.refresh(tenant, ids, leaseMs));
    },
    peek: (tenant, charges) => ask('peek', () => store.peek(tenant, charges)),
    probe: async () => {
      clearTimeout(timer);
      timer = undefined;
      try {
        await ping();
        await tryOut(store);
        // One may come while the end of a flush is on its way here: it would wait for the next outage.
        do await pending.flush(settlePending);
        while (pending.size > 0);
        failures = 0;
        if (!open) return;
        open = false;
        meters.degraded(false);
        log.info({}, 'Redis counts the limits again');
      } catch (error) {
        fail('probe', error);
      }
    },
    connect: async () => {
      for (let waited = 0; ; waited += CONNECT_STEP_MS) {
        try {
          return await ping();
        } catch (error) {
          if (waited >= CONNECT_MS) return fail('probe', error, 1);
          await new Promise((resolve) => setTimeout(resolve, CONNECT_STEP_MS));
        }
      }
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
  meters.degraded(false);
  return guard;
}
