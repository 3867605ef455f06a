import { allowsModel, type Caller, type CallerScope, type Exchange, type Limit, type LimitScope, type Tenancy } from '../../core/index.ts';
import { createBucket, scaleBucket } from './buckets.ts';
import { budgetOf, labelOf } from './describe-limit.ts';
import type { LimitMeter, Meters } from './meters.ts';
import type { RateLimitOptions } from './schema.ts';
import type { Bucket } from './store/store.ts';

/** One limit that holds for a caller, made ready. */
export interface Rule {
  readonly scope: LimitScope;
  /** The name of the key, project or organization. */
  readonly holder: string;
  readonly limit: Limit;
  readonly label: string;
  readonly bucket: Bucket;
  readonly meter: LimitMeter;
  /** Of budgets that have a name in the configuration: told what share of them is spent. */
  readonly budget?: (share: number) => void;
}

/** What holds for the exchanges of one caller with one model. */
export interface RuleSet {
  /** The organization. */
  readonly tenant: string;
  readonly rules: readonly Rule[];
  /** What this host decides by itself while the shared store cannot be asked, with buckets of its own size. */
  readonly outage: readonly Rule[];
  /** A limit that wants no request then. */
  readonly deniedBy: Rule | undefined;
}

/** undefined: nothing limits the exchange. */
export type SelectRules = (exchange: Pick<Exchange, 'caller' | 'model' | 'operation'>) => RuleSet | undefined;

/** Of two limits that count in one bucket the tighter holds: charged twice it would be half as wide. */
const withoutTwins = (rules: readonly Rule[]): readonly Rule[] => {
  const tightest = new Map<string, Rule>();
  for (const rule of rules) {
    const known = tightest.get(rule.bucket.key);
    if (known === undefined || rule.bucket.limit < known.bucket.limit || (rule.bucket.limit === known.bucket.limit && rule.bucket.rate < known.bucket.rate)) tightest.set(rule.bucket.key, rule);
  }
  return [...tightest.values()];
};

/** Counting tokens uses none, and an embedding has no output. */
const countsFor = ({ unit }: Limit, operation: Exchange['operation']): boolean => {
  if (operation === 'count-tokens') return unit === 'requests' || unit === 'concurrent';
  return operation === 'generate' || unit !== 'outputTokens';
};

/** The limits of callers as rules: made once per caller, selected once per caller, model and operation. */
export const createSelectRules = (tenancy: Tenancy, meters: Meters, { onStoreFailure, factor, replicas }: Pick<RateLimitOptions, 'onStoreFailure' | 'factor' | 'replicas'>): SelectRules => {
  const share = factor / replicas;
  const policyOf = ({ limit }: Rule): string => limit.onStoreFailure ?? onStoreFailure;

  const createRule = (scope: CallerScope, limit: Limit): Rule => {
    const label = labelOf(scope.scope, limit);
    const budget = limit.unit === 'cost' && scope.scope !== 'key' ? { budget: meters.budget(budgetOf(scope, limit)) } : {};
    return { scope: scope.scope, holder: scope.path.at(-1) ?? '', limit, label, bucket: createBucket(scope, limit), meter: meters.of(label, limit.unit), ...budget };
  };
  const createSet = (tenant: string, rules: readonly Rule[]): RuleSet | undefined =>
    rules.length === 0
      ? undefined
      : {
          tenant,
          rules,
          outage: rules.filter((rule) => policyOf(rule) === 'local').map((rule) => ({ ...rule, bucket: scaleBucket(rule.bucket, share) })),
          deniedBy: rules.find((rule) => policyOf(rule) === 'deny' && rule.limit.enforce),
        };

  const createSelect = (caller: Caller): SelectRules => {
    const rules = withoutTwins(tenancy.scopes(caller).flatMap((scope) => scope.limits.map((limit) => createRule(scope, limit))));
    if (rules.length === 0) return () => undefined;
    const sets: Readonly<Record<Exchange['operation'], Map<string, RuleSet | undefined>>> = { generate: new Map(), embed: new Map(), 'count-tokens': new Map() };
    return ({ model, operation }) => {
      const byModel = sets[operation];
      if (!byModel.has(model)) byModel.set(model, createSet(caller.organization, rules.filter(({ limit }) => countsFor(limit, operation) && allowsModel(limit.models, model))));
      return byModel.get(model);
    };
  };

  const selects = new WeakMap<Caller, SelectRules>();
  return (exchange) => {
    let select = selects.get(exchange.caller);
    if (select === undefined) {
      select = createSelect(exchange.caller);
      selects.set(exchange.caller, select);
    }
    return select(exchange);
  };
};
