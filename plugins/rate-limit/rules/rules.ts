import {
  allowsModel,
  setBounded,
  type Caller,
  type CallerScope,
  type Exchange,
  type Limit,
  type LimitFigures,
  type LimitScope,
  type Tenancy,
} from '../../../core/index.ts';
import { createBucket, scaleBucket } from './buckets.ts';
import { budgetOf, labelOf } from './describe-limit.ts';
import type { LimitMeter, Meters } from '../meters.ts';
import type { RateLimitOptions } from '../schema.ts';
import type { Bucket, Charge } from '../store/store.ts';

export type FigureUnit = keyof LimitFigures;

/** One limit that holds for a caller, made ready. */
export interface Rule {
  readonly scope: LimitScope;
  /** The name of the key, project or organization. */
  readonly holder: string;
  readonly limit: Limit;
  readonly label: string;
  readonly bucket: Bucket;
  /** What every request takes, where that is always the same: of `requests` and `concurrent`. */
  readonly charge?: Charge;
  /** Shown in headers as this unit. Shadow limits, money and `concurrent` are not. */
  readonly figure?: FigureUnit;
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
  /** A limit of tokens or cost that refuses an answer which the vendor makes after the call. */
  readonly refusesDeferred: Rule | undefined;
}

/** The limits of one caller that count whatever the model is: they hold before the body is read. */
export interface EntryRules {
  /** Of `concurrent`, without shadow limits; undefined where there are none. */
  readonly concurrent: RuleSet | undefined;
  /** Of `requests`, shadow limits too; undefined where there are none. */
  readonly requests: RuleSet | undefined;
}

/** undefined: no limit of the caller holds before the model is known. */
export type SelectEntryRules = (caller: Caller) => EntryRules | undefined;

/** undefined: nothing limits the exchange. */
export type SelectRules = (exchange: Pick<Exchange, 'caller' | 'model' | 'operation'>) => RuleSet | undefined;

/** Of two limits that count in one bucket the tighter holds: charged twice it would be half as wide. */
const withoutDuplicates = (rules: readonly Rule[]): readonly Rule[] => {
  const tightest = new Map<string, Rule>();
  for (const rule of rules) {
    const known = tightest.get(rule.bucket.key);
    if (
      known === undefined ||
      rule.bucket.limit < known.bucket.limit ||
      (rule.bucket.limit === known.bucket.limit && rule.bucket.rate < known.bucket.rate)
    )
      tightest.set(rule.bucket.key, rule);
  }
  return [...tightest.values()];
};

/** Counting tokens uses none, and an embedding has no output. */
const countsFor = ({ unit }: Limit, operation: Exchange['operation']): boolean => {
  if (operation === 'count-tokens') return unit === 'requests' || unit === 'concurrent';
  return operation === 'generate' || unit !== 'outputTokens';
};

const shown: ReadonlySet<string> = new Set<FigureUnit>(['requests', 'tokens', 'inputTokens', 'outputTokens']);
const isShown = (unit: string): unit is FigureUnit => shown.has(unit);

/** What an exchange uses of these is known when its answer has ended, and not before. */
const countedAfter: ReadonlySet<string> = new Set(['tokens', 'inputTokens', 'outputTokens', 'cost']);

const chargeOf = ({ unit }: Limit, bucket: Bucket): Charge | undefined => {
  if (unit === 'requests') return { bucket, amount: 1, kept: 1 };
  return unit === 'concurrent' ? { bucket, amount: 1 } : undefined;
};

/** The limits of callers as rules. */
export interface Rules {
  /** Selected once per caller, model and operation. */
  readonly select: SelectRules;
  readonly selectEntry: SelectEntryRules;
}

interface CallerRules {
  readonly select: SelectRules;
  readonly entry: EntryRules | undefined;
}

/** Models of one caller whose limits are remembered: one key may name every model of the catalog. */
const MOST_MODELS = 1_000;

/** Makes the rules of each caller once. */
export function createRules(
  tenancy: Tenancy,
  meters: Meters,
  { onStoreFailure, factor, replicas }: Pick<RateLimitOptions, 'onStoreFailure' | 'factor' | 'replicas'>,
): Rules {
  const share = factor / replicas;
  const policyOf = ({ limit }: Rule): string => limit.onStoreFailure ?? onStoreFailure;

  const createRule = (scope: CallerScope, limit: Limit): Rule => {
    const label = labelOf(scope.scope, limit);
    const budget =
      limit.unit === 'cost' && scope.scope !== 'key' ? { budget: meters.budget(budgetOf(scope, limit)) } : {};
    const bucket = createBucket(scope, limit);
    return {
      scope: scope.scope,
      holder: scope.path.at(-1) ?? '',
      limit,
      label,
      bucket,
      charge: chargeOf(limit, bucket),
      figure: bucket.enforce && isShown(limit.unit) ? limit.unit : undefined,
      meter: meters.of(label, limit.unit),
      ...budget,
    };
  };
  const scaleRule = (rule: Rule): Rule => {
    const bucket = scaleBucket(rule.bucket, share);
    return { ...rule, bucket, charge: chargeOf(rule.limit, bucket) };
  };
  const createSet = (tenant: string, rules: readonly Rule[]): RuleSet | undefined =>
    rules.length === 0
      ? undefined
      : {
          tenant,
          rules,
          outage: rules.filter((rule) => policyOf(rule) === 'local').map(scaleRule),
          deniedBy: rules.find((rule) => policyOf(rule) === 'deny' && rule.limit.enforce),
          refusesDeferred: rules.find(({ limit, bucket }) => bucket.enforce && countedAfter.has(limit.unit)),
        };

  const createSelect = ({ organization }: Caller, rules: readonly Rule[]): SelectRules => {
    if (rules.length === 0) return () => undefined;
    type Sets = Readonly<Record<Exchange['operation'], Map<string, RuleSet | undefined>>>;
    const sets: Sets = { generate: new Map(), embed: new Map(), 'count-tokens': new Map() };
    /** Models to which the same limits apply share one set. */
    const bySelection = new Map<string, RuleSet | undefined>();
    const choose = (model: string, operation: Exchange['operation']): RuleSet | undefined => {
      const chosen = rules.filter(({ limit }) => countsFor(limit, operation) && allowsModel(limit.models, model));
      const selection = chosen.map(({ bucket }) => bucket.key).join('\n');
      if (!bySelection.has(selection)) bySelection.set(selection, createSet(organization, chosen));
      return bySelection.get(selection);
    };
    return ({ model, operation }) => {
      const byModel = sets[operation];
      const found = byModel.get(model);
      if (found !== undefined || byModel.has(model)) return found;
      const set = choose(model, operation);
      setBounded(byModel, MOST_MODELS, model, set);
      return set;
    };
  };
  const createEntry = ({ organization }: Caller, rules: readonly Rule[]): EntryRules | undefined => {
    const ofAllModels = rules.filter(({ limit }) => limit.models.length === 0);
    const concurrent = createSet(
      organization,
      ofAllModels.filter(({ limit: { unit, enforce } }) => unit === 'concurrent' && enforce),
    );
    const requests = createSet(
      organization,
      ofAllModels.filter(({ limit }) => limit.unit === 'requests'),
    );
    return concurrent === undefined && requests === undefined ? undefined : { concurrent, requests };
  };

  const known = new WeakMap<Caller, CallerRules>();
  const rulesOf = (caller: Caller): CallerRules => {
    let found = known.get(caller);
    if (found === undefined) {
      const rules = withoutDuplicates(
        tenancy.scopes(caller).flatMap((scope) => scope.limits.map((limit) => createRule(scope, limit))),
      );
      found = { select: createSelect(caller, rules), entry: createEntry(caller, rules) };
      known.set(caller, found);
    }
    return found;
  };
  return {
    select: (exchange) => rulesOf(exchange.caller).select(exchange),
    selectEntry: (caller) => rulesOf(caller).entry,
  };
}
