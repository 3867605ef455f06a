import type { Clock, Exchange } from '../../core/index.ts';
import type { Calendar } from './rules/calendar.ts';
import { createLooks } from './admission/charges.ts';
import { describeAmount, describeWindow } from './rules/describe-limit.ts';
import type { Guard } from './store/guard.ts';
import type { Rule, SelectRules } from './rules/rules.ts';
import { createBaselineStore, type ReadBaseline } from './store/baseline-store.ts';
import type { BucketState, LimitStore } from './store/store.ts';

export interface ExplainParts {
  readonly selectRules: SelectRules;
  readonly shared: Guard | undefined;
  readonly local: LimitStore;
  readonly readBaseline: ReadBaseline;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

const explainRule = ({ scope, holder, limit }: Rule, state: BucketState | undefined): object => {
  const { unit, amount, per, burst, soft, models, enforce, onStoreFailure } = limit;
  return {
    scope,
    name: holder,
    unit,
    amount: Number(describeAmount(unit, amount)),
    ...(per === undefined ? {} : { per: describeWindow(per) }),
    ...(burst === undefined ? {} : { burst }),
    ...(soft === undefined ? {} : { soft }),
    models,
    enforce,
    ...(onStoreFailure === undefined ? {} : { onStoreFailure }),
    ...(state?.spent === undefined ? {} : { spent: Number(describeAmount(unit, state.spent)) }),
    ...(state === undefined
      ? {}
      : { remaining: Number(describeAmount(unit, state.remaining)), resetMs: Math.ceil(state.resetMs) }),
  };
};

/** Every limit that an exchange would be held to, with what is left of it. Reserves nothing. */
export function createExplain({
  selectRules,
  shared,
  local,
  readBaseline,
  calendar,
  clock,
}: ExplainParts): (exchange: Exchange) => Promise<object> {
  const opened = shared && createBaselineStore(shared, readBaseline);
  const peek = async (store: LimitStore, tenant: string, rules: readonly Rule[]): Promise<readonly BucketState[]> => {
    try {
      return await store.peek(tenant, createLooks(rules, calendar, clock.now()));
    } catch {
      // What holds can be told without how it stands.
      return [];
    }
  };
  return async (exchange) => {
    const set = selectRules(exchange);
    const inRedis = opened !== undefined && shared?.open === false;
    const store = inRedis ? 'redis' : 'local';
    if (set === undefined) return { store, limits: [] };
    const rules =
      shared?.open === true
        ? set.rules.map((rule) => set.outage.find(({ bucket }) => bucket.key === rule.bucket.key) ?? rule)
        : set.rules;
    const states = await peek(inRedis ? opened : local, set.tenant, rules);
    return { store, limits: rules.map((rule, index) => explainRule(rule, states[index])) };
  };
}
