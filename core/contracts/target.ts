import type { WireName } from '../canonical/wire.ts';
import type { Credential } from './extension.ts';
import type { Price } from './price.ts';
import type { Endpoint } from './provider.ts';

/** A model at a provider that an exchange can be sent to. */
export interface Target {
  /** `<provider>/<model at the provider>`. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Set if the configuration pins the wire; otherwise the endpoint chooses. */
  readonly wire?: WireName;
  readonly endpoint: Endpoint;
  /** Ids of the usable credentials; empty if there is none. */
  readonly credentials: readonly string[];
  /** The versions of these credentials, by id: they change with the secret. Never logged. */
  readonly versions?: ReadonlyMap<string, string>;
  /** Those of the credentials whose secrets are loaded while the gateway runs, by id. */
  readonly renewable?: ReadonlyMap<string, Credential>;
  /** Why there is no usable credential. */
  readonly unavailable?: string;
  /** The price in force now: it can change by its dates. Absent: no price is known, and its usage has no cost. */
  readonly price?: Price;
  /** The price of another model of the provider, which the vendor used for a call to this target. */
  readonly priceOf?: (model: string) => Price | undefined;
  /**
   * Whether the model can reason although the request does not ask for it, as far as its capabilities show. Hidden
   * reasoning is billed as output. `always`: even if the request switches reasoning off.
   */
  readonly reasons?: 'always' | 'unasked';
  /**
   * In place of the names in the labels of metrics, where a client has named the model by a wildcard of the catalog:
   * `other` once there are too many names. State that is kept by such a target must be bounded.
   */
  readonly label?: {
    /** In place of the catalog id. */
    readonly id: string;
    /** In place of the name at the provider. */
    readonly model: string;
  };
}

/** A model of the catalog. */
export interface CatalogModel {
  readonly id: string;
  /** In failover order, with their prices and providers. */
  readonly targets: readonly Target[];
}
