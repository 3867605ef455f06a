import type { Clock, Exchange } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { createPeekCharges } from './admission/charges.ts';
import { fitEstimate } from './admission/fit-estimate.ts';
import type { Calendar } from './rules/calendar.ts';
import { describeAmount, describeTerms } from './rules/describe-limit.ts';
import type { Rule, RuleSet } from './rules/rule.ts';
import type { Rules } from './rules/rules.ts';
import { BaselineStore, type ReadBaseline } from './store/baseline-store.ts';
import type { Breaker } from './store/breaker.ts';
import type { BucketState, LimitStore } from './store/store.ts';

export interface ExplainParts {
  readonly rules: Pick<Rules, 'select' | 'listUnnamed'>;
  readonly shared: Breaker | undefined;
  /** The counts of this host. */
  readonly peeked: Pick<LimitStore, 'peek'>;
  readonly readBaseline: ReadBaseline;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly undeclaredOutput: number;
}

const explainRule = ({ scope, holder, limit }: Rule, state: BucketState | undefined, reserved?: number): object => {
  const read = (count: number): number => Number(describeAmount(limit.unit, count));
  return omitUndefined({
    scope,
    name: holder,
    ...describeTerms(limit),
    onStoreFailure: limit.onStoreFailure,
    spent: state?.spent === undefined ? undefined : read(state.spent),
    remaining: state === undefined ? undefined : read(state.remaining),
    reserves: reserved === undefined ? undefined : read(reserved),
    resetMs: state === undefined ? undefined : Math.ceil(state.resetMs),
  });
};

/** Describes every limit of an exchange, with what is left of it. Reserves nothing. */
export function createExplain({
  rules: { select, listUnnamed },
  shared,
  peeked,
  readBaseline,
  calendar,
  clock,
  undeclaredOutput,
}: ExplainParts): (exchange: Exchange) => Promise<object> {
  const sharedWithBaselines = shared && new BaselineStore(shared, readBaseline);
  const peek = async (
    store: ExplainParts['peeked'],
    tenant: string,
    rules: readonly Rule[],
  ): Promise<readonly BucketState[]> => {
    try {
      return await store.peek(tenant, createPeekCharges(rules, calendar, clock.now()));
    } catch {
      // Without the store the limits are described without their state.
      return [];
    }
  };
  const reserve = (exchange: Exchange, set: RuleSet): readonly number[] => {
    try {
      return fitEstimate(exchange, set, undeclaredOutput);
    } catch {
      // The request cannot be admitted.
      return [];
    }
  };
  return async (exchange) => {
    const set = select(exchange);
    const inRedis = sharedWithBaselines !== undefined && shared?.open === false;
    const store = inRedis ? 'redis' : 'local';
    const unnamed = listUnnamed(exchange).map((rule) => ({ ...explainRule(rule, undefined), applies: false }));
    if (set === undefined) return { store, limits: unnamed };
    const rules =
      shared?.open === true
        ? set.rules.map((rule) => set.outage.find(({ bucket }) => bucket.key === rule.bucket.key) ?? rule)
        : set.rules;
    const states = await peek(inRedis ? sharedWithBaselines : peeked, set.tenant, rules);
    const reserved = set.rules.some(({ limit }) => limit.unit === 'cost') ? reserve(exchange, set) : [];
    const own = rules.map((rule, at) =>
      explainRule(rule, states[at], rule.limit.unit === 'cost' ? reserved[at] : undefined),
    );
    return { store, limits: [...own, ...unnamed] };
  };
}
