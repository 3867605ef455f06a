import type { CapabilityOverrides } from '../contracts/capabilities.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Operation, WireName } from '../canonical/wire.ts';

/**
 * `gateway.yaml` after loading: interpolated, validated, defaults filled in, durations in milliseconds, sizes in bytes,
 * paths absolute. Frozen.
 */
export interface GatewayConfig {
  readonly server: ServerConfig;
  readonly admin: { readonly host: string; readonly port: number; readonly token?: string };
  /** `database`: `sqlite:<path>`. */
  readonly store: { readonly database: string };
  readonly stream: { readonly openAfter: number; readonly keepaliveEvery: number };
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly organizations: Readonly<Record<string, OrganizationConfig>>;
  readonly routes: readonly RouteConfig[];
  readonly plugins: readonly PluginConfig[];
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly bodyLimit: number;
  /** Addresses and CIDR ranges whose `x-forwarded-for` is believed. */
  readonly trustProxy: readonly string[];
  /** PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface ProviderConfig {
  readonly use: string;
  /** Validated against the provider's own schema. */
  readonly config: unknown;
  readonly timeouts: { readonly connect: number; readonly firstByte: number; readonly idle: number };
  /** May the gateway fetch media for targets that take bytes only? `allow`: origins that need not be public. */
  readonly fetchMedia: { readonly enabled: boolean; readonly allow: readonly string[] };
}

export interface ModelConfig {
  /** Client wires that may name it; absent: all but `responses`. */
  readonly wires?: readonly WireName[];
  readonly targets: readonly { readonly provider: string; readonly model: string; readonly wire?: WireName }[];
  readonly capabilities: CapabilityOverrides;
  /** The gateway places cache marks of this lifetime where the client's wire is another and the client has set none. */
  readonly promptCache?: CacheMark['ttl'];
}

export interface OrganizationConfig {
  readonly projects: Readonly<Record<string, { readonly keys: Readonly<Record<string, KeyConfig>> }>>;
}
/** Exactly one of `key` (the secret, by a variable) and `sha256` (hex digest of it). */
export interface KeyConfig {
  readonly key?: string;
  readonly sha256?: string;
  readonly models: readonly string[];
  readonly losses?: LossPolicy;
  readonly disabled: boolean;
  /** Unix milliseconds. */
  readonly expires?: number;
}

export interface RouteConfig {
  /** `{model}` matches a catalog id, slashes included. */
  readonly path: string;
  readonly wire: WireName;
  readonly operation: Operation | 'models';
  readonly stream?: boolean;
  readonly versions?: readonly string[];
  readonly losses?: LossPolicy;
}

export interface PluginConfig {
  readonly use: string;
  readonly config: unknown;
}
