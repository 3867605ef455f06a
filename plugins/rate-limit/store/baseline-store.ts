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

const lacksBaseline = ({ missingBaseline }: BucketState): boolean => missingBaseline !== undefined;

/**
 * A store whose budgets start with what the ledger has recorded. The first request in a window waits for the ledger;
 * for every other request this costs one look at the states.
 */
export class BaselineStore implements LimitStore {
  private readonly store: LimitStore;
  private readonly readBaseline: ReadBaseline;

  constructor(store: LimitStore, readBaseline: ReadBaseline) {
    this.store = store;
    this.readBaseline = readBaseline;
  }

  reserve(request: ReserveRequest): Decision | Promise<Decision> {
    const decision = this.store.reserve(request);
    return decision instanceof Promise
      ? decision.then((made) => this.proceed(request, made))
      : this.proceed(request, decision);
  }

  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined> {
    return this.store.settle(tenant, id, actual);
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void> {
    return this.store.refresh(tenant, ids, leaseMs);
  }

  async peek(tenant: string, charges: readonly Charge[]): Promise<readonly BucketState[]> {
    const states = await this.store.peek(tenant, charges);
    return states.some(lacksBaseline)
      ? Promise.all(states.map((state, index) => this.subtractBaseline(state, charges[index]?.bucket.account)))
      : states;
  }

  private proceed(request: ReserveRequest, decision: Decision): Decision | Promise<Decision> {
    return decision.states.some(lacksBaseline) ? this.reserveWithBaselines(request, decision.states) : decision;
  }

  private async reserveWithBaselines(request: ReserveRequest, states: readonly BucketState[]): Promise<Decision> {
    const charges = await Promise.all(request.charges.map((charge, index) => this.addBaseline(charge, states[index])));
    return this.proceed(request, await this.store.reserve({ ...request, charges }));
  }

  private async addBaseline(charge: Charge, state: BucketState | undefined): Promise<Charge> {
    const { account } = charge.bucket;
    return state?.missingBaseline === undefined || account === undefined
      ? charge
      : { ...charge, baseline: await this.readBaseline(account, state.missingBaseline) };
  }

  /** A state that is only read is left as it is if the ledger does not respond. */
  private async subtractBaseline(
    { missingBaseline, ...state }: BucketState,
    account: Account | undefined,
  ): Promise<BucketState> {
    if (missingBaseline === undefined || account === undefined) return state;
    const baseline = await this.readBaseline(account, missingBaseline).catch(() => 'later' as const);
    return baseline === 'later'
      ? state
      : { ...state, remaining: state.remaining - baseline.amount, spent: (state.spent ?? 0) + baseline.amount };
  }
}
