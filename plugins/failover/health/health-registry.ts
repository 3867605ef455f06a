import type { Target } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { setBounded } from '../../../core/api/internal.ts';
import type { Random } from '../attempts/backoff.ts';
import type { CircuitRules } from '../config/settings.ts';
import { Condition, type Change, type HealthKey } from './condition.ts';
import { Health } from './health.ts';
import { Latency, type LatencyKind } from './latency.ts';

/** In place of a model: it applies to all of them. */
export const EVERY_MODEL = '*';

/** Healths of models that clients named by a wildcard; more than the catalog keeps ready. */
const MAX_OPEN = 5_000;

type OnChange = (healthKey: HealthKey, change: Change, version: string | undefined) => void;

/** What is known about a version of a credential. */
interface Versioned<T> {
  readonly version: string | undefined;
  readonly known: T;
}

type Named = Pick<Target, 'id' | 'provider' | 'model' | 'versions' | 'label'>;

/** The key of what is learnt about a target. */
export const latencyKey = (kind: LatencyKind, target: string): string => `${kind} ${target}`;

const getOrCreate = <T>(map: Map<string, T>, key: string, create: () => T): T => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = create();
  map.set(key, made);
  return made;
};

/**
 * The health of all targets and credentials, as this process has seen it. It outlives reloads, unless the secret of the
 * credential has changed. The targets of the previous configuration keep the health that they have.
 */
export class HealthRegistry {
  #rules: CircuitRules;
  readonly #random: Random;
  #onChange: OnChange = () => {};
  #onCreate: (condition: Condition) => void = () => {};
  #onCreateLatency: (key: string, latency: Latency) => void = () => {};
  readonly #ofTargets = new WeakMap<Named, Map<string, Health>>();
  readonly #health = new Map<string, Versioned<Health>>();
  readonly #accounts = new Map<string, Versioned<Condition>>();
  readonly #latencies = new Map<string, Latency>();
  /** Of models that clients named by a wildcard, the least recently created first. */
  readonly #open = new Map<string, Versioned<Health>>();
  readonly #openLatencies = new Map<string, Latency>();

  constructor(rules: CircuitRules, random: Random) {
    this.#rules = rules;
    this.#random = random;
  }

  /** Replaces the settings, and the callback for circuits that change. */
  configure(rules: CircuitRules, onChange: OnChange): void {
    this.#rules = rules;
    this.#onChange = onChange;
  }

  /** Calls a function with each new condition. */
  onCreate(created: (condition: Condition) => void): void {
    this.#onCreate = created;
  }

  /** Calls a function with each new latency of a target that is in the configuration. */
  onCreateLatency(created: (key: string, latency: Latency) => void): void {
    this.#onCreateLatency = created;
  }

  /** Of all credentials that this thread has used, without those with models that clients named by a wildcard. */
  *conditions(): Iterable<Condition> {
    for (const { known } of this.#health.values()) yield known.model;
    for (const { known } of this.#accounts.values()) yield known;
  }

  /** The condition of a credential; undefined if this thread has not used it yet. */
  find({ provider, model, credential }: HealthKey): Condition | undefined {
    return model === EVERY_MODEL
      ? this.#accounts.get(`${provider}\n${credential}`)?.known
      : this.#health.get(`${provider}/${model}\n${credential}`)?.known.model;
  }

  health(target: Named, credential: string): Health {
    const ofTarget = this.#ofTargets.get(target) ?? new Map<string, Health>();
    this.#ofTargets.set(target, ofTarget);
    return getOrCreate(ofTarget, credential, () => this.#findHealth(target, credential));
  }

  /** The latency of a target. Each kind of response counts separately. */
  latency({ id, label }: Pick<Target, 'id' | 'label'>, kind: LatencyKind): Latency {
    const key = latencyKey(kind, id);
    if (label === undefined) return this.#latencies.get(key) ?? this.#createLatency(key);
    const latency = this.#openLatencies.get(key) ?? new Latency();
    setBounded(this.#openLatencies, MAX_OPEN, key, latency);
    return latency;
  }

  #createLatency(key: string): Latency {
    const latency = new Latency();
    this.#latencies.set(key, latency);
    this.#onCreateLatency(key, latency);
    return latency;
  }

  #findHealth({ id, provider, model, versions, label }: Named, credential: string): Health {
    const key = `${id}\n${credential}`;
    const version = versions?.get(credential);
    const [all, capacity] = label === undefined ? [this.#health, Infinity] : [this.#open, MAX_OPEN];
    const last = all.get(key);
    if (last !== undefined && last.version === version) return last.known;
    last?.known.model.replaced();
    const healthKey = omitUndefined<HealthKey>({ provider, model, credential, label: label?.model });
    const condition = this.#createCondition(healthKey, version);
    const known = new Health(condition, this.#findAccount(provider, credential, version));
    setBounded(all, capacity, key, { version, known });
    return known;
  }

  #findAccount(provider: string, credential: string, version: string | undefined): Condition {
    const key = `${provider}\n${credential}`;
    const last = this.#accounts.get(key);
    if (last !== undefined && last.version === version) return last.known;
    last?.known.replaced();
    const known = this.#createCondition({ provider, model: EVERY_MODEL, credential }, version);
    this.#accounts.set(key, { version, known });
    return known;
  }

  #createCondition(healthKey: HealthKey, version: string | undefined): Condition {
    const condition = new Condition({
      healthKey,
      version,
      rules: () => this.#rules,
      random: this.#random,
      onChange: (of, change) => this.#onChange(of, change, version),
    });
    this.#onCreate(condition);
    return condition;
  }
}
