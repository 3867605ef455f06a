import type { LossPolicy } from '../canonical/loss.ts';
import type { Limit } from './limit.ts';
import type { VendorStatePolicy } from './references.ts';

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
  /** `allow`: its requests may refer to what is kept at a provider; absent or `refuse`: only where the route allows it. */
  readonly vendorState?: VendorStatePolicy;
  /** The key's own limits; absent: what the project, the organization or the gateway gives each key. */
  readonly limits?: readonly Limit[];
}
