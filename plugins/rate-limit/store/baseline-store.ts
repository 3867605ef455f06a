import type {
  Account,
  BucketState,
  Charge,
  Decision,
  LimitStore,
  Baseline,
  ReserveRequest,
  Unopened,
} from './store.ts';

/** What an account had spent before. `later`: nobody can say now, and the request goes on without. @throws where it must not */
export type ReadBaseline = (account: Account, unopened: Unopened) => Promise<Baseline | 'later'>;

const isUnopened = ({ unopened }: BucketState): boolean => unopened !== undefined;

/** With what was spent before taken off. What nobody can say is left as it is. */
const lookInto = async (
  { unopened, ...state }: BucketState,
  account: Account | undefined,
  readBaseline: ReadBaseline,
): Promise<BucketState> => {
  if (unopened === undefined || account === undefined) return state;
  const baseline = await readBaseline(account, unopened).catch(() => 'later' as const);
  return baseline === 'later'
    ? state
    : { ...state, remaining: state.remaining - baseline.amount, spent: (state.spent ?? 0) + baseline.amount };
};

/** A store whose budgets begin with what the ledger knows: its first request in a window waits for that, every other costs a look. */
export function createBaselineStore(store: LimitStore, readBaseline: ReadBaseline): LimitStore {
  const open = async (charge: Charge, state: BucketState | undefined): Promise<Charge> => {
    const { account } = charge.bucket;
    return state?.unopened === undefined || account === undefined
      ? charge
      : { ...charge, baseline: await readBaseline(account, state.unopened) };
  };
  const reserveWithBaselines = async (request: ReserveRequest, states: readonly BucketState[]): Promise<Decision> =>
    proceed(
      request,
      await store.reserve({
        ...request,
        charges: await Promise.all(request.charges.map((charge, index) => open(charge, states[index]))),
      }),
    );
  const proceed = (request: ReserveRequest, decision: Decision): Decision | Promise<Decision> =>
    decision.states.some(isUnopened) ? reserveWithBaselines(request, decision.states) : decision;
  return {
    reserve: (request) => {
      const decision = store.reserve(request);
      return decision instanceof Promise ? decision.then((made) => proceed(request, made)) : proceed(request, decision);
    },
    settle: (tenant, id, actual) => store.settle(tenant, id, actual),
    refresh: (tenant, ids, leaseMs) => store.refresh(tenant, ids, leaseMs),
    peek: async (tenant, charges) => {
      const states = await store.peek(tenant, charges);
      return states.some(isUnopened)
        ? Promise.all(states.map((state, index) => lookInto(state, charges[index]?.bucket.account, readBaseline)))
        : states;
    },
  };
}
