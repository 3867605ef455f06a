import type { LossPolicy } from '../canonical/loss.ts';

/** Who calls. */
export interface Caller {
  /** Name of the key in the configuration or the database; never the secret. */
  readonly key: string;
  readonly project: string;
  readonly organization: string;
  /** Patterns of catalog ids (`openai/*`); an empty list allows all. Checked after aliases are resolved. */
  readonly models: readonly string[];
  /** What happens to requests that a translation would take something from; absent: the route decides alone. */
  readonly losses?: LossPolicy;
}
