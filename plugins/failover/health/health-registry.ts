import type { Target } from '../../../core/index.ts';
import type { Random } from '../attempts/backoff.ts';
import type { CircuitRules } from '../config/settings.ts';
import { Condition, type Change, type Subject } from './condition.ts';
import { Health } from './health.ts';
import { Latency } from './latency.ts';

/** In place of a model: it applies to all of them. */
export const EVERY_MODEL = '*';

type OnChange = (subject: Subject, change: Change) => void;

const createLatency = (): Latency => new Latency();

const getOrCreate = <T>(map: Map<string, T>, key: string, create: () => T): T => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = create();
  map.set(key, made);
  return made;
};

/** The health of all targets and credentials, as this process has seen it. It outlives reloads. */
export class HealthRegistry {
  #rules: CircuitRules;
  readonly #random: Random;
  #onChange: OnChange = () => {};
  readonly #health = new Map<string, Health>();
  readonly #accounts = new Map<string, Condition>();
  readonly #latencies = new Map<string, Latency>();

  constructor(rules: CircuitRules, random: Random) {
    this.#rules = rules;
    this.#random = random;
  }

  /** Replaces the settings, and the callback for circuits that change. */
  configure(rules: CircuitRules, onChange: OnChange): void {
    this.#rules = rules;
    this.#onChange = onChange;
  }

  health({ id, provider, model }: Pick<Target, 'id' | 'provider' | 'model'>, credential: string): Health {
    return getOrCreate(this.#health, `${id}\n${credential}`, () => {
      const condition = this.#createCondition({ provider, model, credential });
      return new Health(condition, this.#account(provider, credential));
    });
  }

  /** Finds a health by the ids in the record of an attempt. */
  find(targetId: string, credential: string): Health | undefined {
    return this.#health.get(`${targetId}\n${credential}`);
  }

  /** The latency of a target. Streamed responses begin earlier than whole ones, so they count separately. */
  latency(targetId: string, stream: boolean): Latency {
    return getOrCreate(this.#latencies, `${stream ? 'stream' : 'plain'} ${targetId}`, createLatency);
  }

  #account(provider: string, credential: string): Condition {
    return getOrCreate(this.#accounts, `${provider}\n${credential}`, () =>
      this.#createCondition({ provider, model: EVERY_MODEL, credential }),
    );
  }

  #createCondition(subject: Subject): Condition {
    return new Condition({
      subject,
      rules: () => this.#rules,
      random: this.#random,
      onChange: (of, change) => this.#onChange(of, change),
    });
  }
}
