import {
  allowsModel,
  type Caller,
  type CallerScope,
  type Exchange,
  type Limit,
  type Tenancy,
} from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { operationNames, operations, setBounded } from '../../../core/api/internal.ts';
import type { Meters } from '../meters.ts';
import type { RateLimitOptions } from '../schema.ts';
import type { Bucket, Charge } from '../store/store.ts';
import { createBucket, nameBucket, scaleBucket, subjectOf } from './buckets.ts';
import { budgetOf, labelOf } from './describe-limit.ts';
import type {
  EntryRules,
  FigureUnit,
  ListUnnamed,
  Rule,
  RuleSet,
  SelectDirectRules,
  SelectEntryRules,
  SelectRules,
} from './rule.ts';

export type OutageOptions = Pick<RateLimitOptions, 'onStoreFailure' | 'factor'> & {
  /** Among how many hosts limits are divided during an outage. */
  parts(): number;
};
type Operation = Exchange['operation'];

/** If two limits count in one bucket, only the tighter one is charged: two charges would halve the limit. */
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

/** Units of which each request takes one, whatever it is for. */
const isPerRequest = ({ unit }: Limit): boolean => unit === 'requests' || unit === 'concurrent';

const countsFor = (limit: Limit, operation: Operation): boolean => {
  const { isFree, hasNoOutput, units } = operations[operation];
  if (isFree === true) return isPerRequest(limit);
  if (limit.unit === 'images' || limit.unit === 'seconds' || limit.unit === 'characters')
    return units?.includes(limit.unit) === true;
  return hasNoOutput !== true || limit.unit !== 'outputTokens';
};

const shown: ReadonlySet<string> = new Set<FigureUnit>(['requests', 'tokens', 'inputTokens', 'outputTokens']);
const isShown = (unit: string): unit is FigureUnit => shown.has(unit);

const chargeOf = ({ unit }: Limit, bucket: Bucket): Charge | undefined => {
  if (unit === 'requests') return { bucket, amount: 1, kept: 1 };
  return unit === 'concurrent' ? { bucket, amount: 1 } : undefined;
};

const createRule = (scope: CallerScope, limit: Limit, meters: Meters): Rule => {
  const label = labelOf(scope.scope, limit);
  const bucket = createBucket(scope, limit);
  const isSharedBudget = limit.unit === 'cost' && scope.scope !== 'key' && limit.each === undefined;
  return {
    scope: scope.scope,
    holder: scope.path.at(-1) ?? '',
    limit,
    label,
    bucket,
    charge: chargeOf(limit, bucket),
    figure: bucket.enforce && isShown(limit.unit) ? limit.unit : undefined,
    meter: meters.of(label, limit.unit),
    ...omitUndefined<Pick<Rule, 'budget'>>({
      budget: isSharedBudget ? meters.budget(budgetOf(scope, limit)) : undefined,
    }),
  };
};

/** The parts of this host. They are created when they are needed, and again when the number of hosts has changed. */
const createOutageRules = (rules: readonly Rule[], { factor, parts }: OutageOptions): (() => readonly Rule[]) => {
  let scaled: { readonly parts: number; readonly rules: readonly Rule[] } | undefined;
  const scaleRule = (rule: Rule, share: number): Rule => {
    const bucket = scaleBucket(rule.bucket, share);
    return { ...rule, bucket, charge: chargeOf(rule.limit, bucket) };
  };
  return () => {
    const now = parts();
    if (scaled?.parts !== now) scaled = { parts: now, rules: rules.map((rule) => scaleRule(rule, factor / now)) };
    return scaled.rules;
  };
};

const createSet = (tenant: string, rules: readonly Rule[], options: OutageOptions): RuleSet | undefined => {
  if (rules.length === 0) return undefined;
  const { onStoreFailure } = options;
  const policyOf = ({ limit }: Rule): string => limit.onStoreFailure ?? onStoreFailure;
  const inOutage = createOutageRules(
    rules.filter((rule) => policyOf(rule) === 'local'),
    options,
  );
  return {
    tenant,
    rules,
    get outage() {
      return inOutage();
    },
    deniedBy: rules.find((rule) => policyOf(rule) === 'deny' && rule.limit.enforce),
  };
};

const createEntry = (tenant: string, rules: readonly Rule[], options: OutageOptions): EntryRules | undefined => {
  const ofAllModels = rules.filter(({ limit }) => limit.models.length === 0);
  const isPlace = ({ limit: { unit, enforce } }: Rule): boolean => unit === 'concurrent' && enforce;
  const concurrent = createSet(tenant, ofAllModels.filter(isPlace), options);
  const ofRequests = ofAllModels.filter(({ limit }) => limit.unit === 'requests');
  const requests = createSet(tenant, ofRequests, options);
  return concurrent === undefined && requests === undefined ? undefined : { concurrent, requests };
};

/** Models per caller whose rules are cached: one key may name every model of the catalog. */
const MAX_MODELS = 1_000;
/** Sets of rules of one user or tag that are cached, for all callers together. */
const MAX_NAMED = 5_000;

type Named = Pick<Exchange, 'model' | 'operation' | 'attribution'>;

/** The rules of one caller. A set is created once for each combination of rules, and cached by model and operation. */
class CallerRules {
  readonly entry: EntryRules | undefined;
  readonly direct: RuleSet | undefined;
  readonly #tenant: string;
  readonly #rules: readonly Rule[];
  readonly #options: OutageOptions;
  readonly #byModel = Object.fromEntries(operationNames.map((name) => [name, new Map()])) as Readonly<
    Record<Operation, Map<string, RuleSet | undefined>>
  >;
  readonly #byKeys = new Map<string, RuleSet | undefined>();
  /** Limits for each user or tag, with buckets that name none. */
  readonly #templates: readonly Rule[];
  /** Shared by all callers, by a name that contains the number of the caller. */
  readonly #named: Map<string, RuleSet | undefined>;
  readonly #number: number;

  constructor(
    tenant: string,
    rules: readonly Rule[],
    options: OutageOptions,
    named: Map<string, RuleSet | undefined>,
    number: number,
  ) {
    this.#templates = rules.filter(({ limit }) => limit.each !== undefined);
    this.#rules = rules.filter(({ limit }) => limit.each === undefined);
    this.entry = createEntry(tenant, this.#rules, options);
    const ofDirect = this.#rules.filter(({ limit }) => isPerRequest(limit) && limit.models.length === 0);
    this.direct = createSet(tenant, ofDirect, options);
    this.#tenant = tenant;
    this.#options = options;
    this.#named = named;
    this.#number = number;
  }

  select(exchange: Named): RuleSet | undefined {
    if (this.#templates.length > 0 && exchange.attribution !== undefined) return this.#selectNamed(exchange);
    const { model, operation } = exchange;
    if (this.#rules.length === 0) return undefined;
    const byModel = this.#byModel[operation];
    const found = byModel.get(model);
    if (found !== undefined || byModel.has(model)) return found;
    const set = this.#create(model, operation);
    setBounded(byModel, MAX_MODELS, model, set);
    return set;
  }

  /** With the limits of the user and of the tags of this request. */
  #selectNamed({ model, operation, attribution }: Named): RuleSet | undefined {
    const subjects = this.#templates.map(({ limit }) => subjectOf(limit, { attribution }));
    const name = JSON.stringify([this.#number, operation, model, subjects]);
    if (this.#named.has(name)) return this.#named.get(name);
    const own = this.#templates.flatMap((template, index): readonly Rule[] => {
      const subject = subjects[index];
      if (subject === undefined) return [];
      const bucket = nameBucket(template.bucket, template.limit, subject);
      return [{ ...template, bucket, charge: chargeOf(template.limit, bucket) }];
    });
    const set = createSet(this.#tenant, this.#choose([...this.#rules, ...own], model, operation), this.#options);
    setBounded(this.#named, MAX_NAMED, name, set);
    return set;
  }

  listUnnamed({ model, operation, attribution }: Named): readonly Rule[] {
    const unnamed = this.#templates.filter(({ limit }) => subjectOf(limit, { attribution }) === undefined);
    return this.#choose(unnamed, model, operation);
  }

  #choose(rules: readonly Rule[], model: string, operation: Operation): readonly Rule[] {
    return rules.filter(({ limit }) => countsFor(limit, operation) && allowsModel(limit.models, model));
  }

  #create(model: string, operation: Operation): RuleSet | undefined {
    const chosen = this.#choose(this.#rules, model, operation);
    const keys = chosen.map(({ bucket }) => bucket.key).join('\n');
    if (!this.#byKeys.has(keys)) this.#byKeys.set(keys, createSet(this.#tenant, chosen, this.#options));
    return this.#byKeys.get(keys);
  }
}

/** The limits of callers as rules. */
export interface Rules {
  readonly select: SelectRules;
  readonly selectEntry: SelectEntryRules;
  readonly listUnnamed: ListUnnamed;
  readonly selectDirect: SelectDirectRules;
}

/** Creates the rules of each caller once, and again after its scopes may have changed. */
export function createRules(tenancy: Tenancy, meters: Meters, options: OutageOptions): Rules {
  const changes = tenancy.changes ?? { version: 0 };
  let { version } = changes;
  let known = new WeakMap<Caller, CallerRules>();
  const named = new Map<string, RuleSet | undefined>();
  let callers = 0;
  const rulesOf = (caller: Caller): CallerRules => {
    if (changes.version !== version) {
      ({ version } = changes);
      known = new WeakMap();
    }
    let found = known.get(caller);
    if (found === undefined) {
      const scopes = tenancy.scopes(caller);
      const rules = scopes.flatMap((scope) => scope.limits.map((limit) => createRule(scope, limit, meters)));
      found = new CallerRules(caller.organization, withoutDuplicates(rules), options, named, (callers += 1));
      known.set(caller, found);
    }
    return found;
  };
  return {
    select: (exchange) => rulesOf(exchange.caller).select(exchange),
    selectEntry: (caller) => rulesOf(caller).entry,
    listUnnamed: (exchange) => rulesOf(exchange.caller).listUnnamed(exchange),
    selectDirect: (caller) => rulesOf(caller).direct,
  };
}
