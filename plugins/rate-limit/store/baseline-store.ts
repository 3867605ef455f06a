import type { KnownSpending } from '../admission/charges.ts';
import type {
  Account,
  Baseline,
  BaselineSpan,
  BucketState,
  Charge,
  Decision,
  LimitStore,
  ReserveRequest,
  Spent,
} from './store.ts';

/**
 * Reads what an account has spent. `later`: the ledger does not respond, and the request is admitted without it.
 * @throws if the request must not be admitted without it
 */
export type ReadBaseline = (account: Account, span: BaselineSpan) => Promise<Baseline | 'later'>;

/** The ledger may not respond: requests are admitted without it. */
export const orLater =
  (read: ReadBaseline): ReadBaseline =>
  (account, span) =>
    read(account, span).catch(() => 'later' as const);

const lacksBaseline = ({ missingBaseline }: BucketState): boolean => missingBaseline !== undefined;

/**
 * A store whose budgets start with what the ledger has recorded. The first request in a window waits for the ledger;
 * for every other request this costs one look at the states.
 */
export class BaselineStore implements LimitStore {
  readonly #store: LimitStore;
  readonly #readBaseline: ReadBaseline;
  readonly #known: Pick<KnownSpending, 'atFault'> | undefined;
  /** Without a ledger, nothing is read again after a fault. */
  #hasLedger = true;

  /** @param known a baseline after a fault is not below it */
  constructor(store: LimitStore, readBaseline: ReadBaseline, known?: Pick<KnownSpending, 'atFault'>) {
    this.#store = store;
    this.#readBaseline = readBaseline;
    this.#known = known;
  }

  reserve(given: ReserveRequest): Decision | Promise<Decision> {
    const request = this.#hasLedger || given.sinceFaultMs === undefined ? given : { ...given, sinceFaultMs: undefined };
    const startedAt = request.sinceFaultMs === undefined ? 0 : performance.now();
    const decision = this.#store.reserve(request);
    return decision instanceof Promise
      ? decision.then((made) => this.#proceed(request, made, startedAt))
      : this.#proceed(request, decision, startedAt);
  }

  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
    endedAt?: number,
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined> {
    return this.#store.settle(tenant, id, actual, endedAt);
  }

  renew(tenant: string, charges: readonly Charge[]): void | Promise<void> {
    return this.#store.renew(tenant, charges);
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void> {
    return this.#store.refresh(tenant, ids, leaseMs);
  }

  async peek(tenant: string, charges: readonly Charge[]): Promise<readonly BucketState[]> {
    const states = await this.#store.peek(tenant, charges);
    const isStale = states.some(({ staleBaseline }) => staleBaseline !== undefined);
    if (!isStale && !states.some(lacksBaseline)) return states;
    const isCounted = states.some(({ missingBaseline }) => missingBaseline?.isCounted === true);
    if ((isStale || isCounted) && (await this.#renewStale(tenant, charges, states)))
      return this.#store.peek(tenant, charges);
    return Promise.all(states.map((state, index) => this.#subtractBaseline(state, charges[index]?.bucket.account)));
  }

  /** @param startedAt when the request was first sent, if there was a fault, on the monotonic clock */
  #proceed(request: ReserveRequest, decision: Decision, startedAt: number): Decision | Promise<Decision> {
    const { states } = decision;
    let isStale = false;
    // Without a callback: most requests come here.
    for (let at = 0; at < states.length; at += 1) {
      const { missingBaseline, staleBaseline } = states[at] ?? {};
      if (missingBaseline !== undefined) return this.#reserveWithBaselines(request, states, startedAt);
      isStale ||= staleBaseline !== undefined;
    }
    if (isStale) void this.#renewStale(request.tenant, request.charges, states);
    return decision;
  }

  /** Reads again what the ledger has. No request waits for it. @returns whether it was read */
  async #renewStale(tenant: string, charges: readonly Charge[], states: readonly BucketState[]): Promise<boolean> {
    try {
      const renewed = charges.map(async (charge, index): Promise<Charge> => {
        const { missingBaseline, staleBaseline: span = missingBaseline } = states[index] ?? {};
        const { account } = charge.bucket;
        return span === undefined || account === undefined
          ? charge
          : { ...charge, baseline: await this.#read(account, span) };
      });
      await this.#store.renew(tenant, await Promise.all(renewed));
      return true;
    } catch {
      // The ledger has logged it. A later request reads it.
      return false;
    }
  }

  async #reserveWithBaselines(
    request: ReserveRequest,
    states: readonly BucketState[],
    startedAt: number,
  ): Promise<Decision> {
    const charges = await Promise.all(
      request.charges.map((charge, index) => this.#addBaseline(request.tenant, charge, states[index])),
    );
    // By now the fault is older. Otherwise each request would have the budget read again that another has just read.
    const { sinceFaultMs: before } = request;
    const sinceFaultMs = before === undefined ? undefined : before + Math.round(performance.now() - startedAt);
    return this.#proceed(request, await this.#store.reserve({ ...request, sinceFaultMs, charges }), startedAt);
  }

  async #addBaseline(tenant: string, charge: Charge, state: BucketState | undefined): Promise<Charge> {
    const { account, key } = charge.bucket;
    const { missingBaseline: span } = state ?? {};
    if (span === undefined || account === undefined) return charge;
    try {
      const baseline = await this.#read(account, span);
      if (baseline === 'later') return { ...charge, baseline };
      if (baseline.isRecorded === false) this.#hasLedger = false;
      const known = this.#known?.atFault(tenant, key, span.since);
      return { ...charge, baseline: known === undefined ? baseline : { ...baseline, known } };
    } catch (error) {
      if (span.isCounted !== true) throw error;
      return { ...charge, baseline: 'later' };
    }
  }

  /** The store recognizes a baseline that was asked for before the ledger found more. */
  async #read(account: Account, span: BaselineSpan): Promise<Baseline | 'later'> {
    const baseline = await this.#readBaseline(account, span);
    return baseline === 'later' || span.epoch === undefined ? baseline : { ...baseline, epoch: span.epoch };
  }

  /** A state that is only read is left as it is if the ledger does not respond. */
  async #subtractBaseline(
    { missingBaseline, ...state }: BucketState,
    account: Account | undefined,
  ): Promise<BucketState> {
    if (missingBaseline === undefined || account === undefined) return state;
    const baseline = await this.#readBaseline(account, missingBaseline).catch(() => 'later' as const);
    return baseline === 'later'
      ? state
      : { ...state, remaining: state.remaining - baseline.amount, spent: (state.spent ?? 0) + baseline.amount };
  }
}
