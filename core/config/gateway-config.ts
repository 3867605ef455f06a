import type { CapabilityOverrides } from '../contracts/capabilities.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { Limit } from '../contracts/limit.ts';
import type { Price } from '../contracts/price.ts';
import type { VendorStatePolicy } from '../contracts/references.ts';

/**
 * `gateway.yaml` after loading: interpolated, validated, defaults filled in, durations in milliseconds, sizes in bytes,
 * paths absolute. Frozen.
 */
export interface GatewayConfig {
  readonly server: ServerConfig;
  /** `tls`: PEM files. */
  readonly admin: { readonly host: string; readonly port: number; readonly token?: string; readonly tls?: TlsFiles };
  /** `database`: `sqlite:<path>` or `postgres://…`. `redis`: `redis://` or `rediss://`; absent: limits are kept in the primary process. `redisTimeout`: milliseconds that a request waits for it. */
  readonly store: { readonly database: string; readonly redis?: string; readonly redisTimeout: number };
  /** `start`: a line in the log when an exchange begins, beside that of its end. */
  readonly accessLog: { readonly start: boolean };
  readonly stream: { readonly openAfter: number; readonly keepaliveEvery: number };
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** Of models that do not say otherwise. */
  readonly unpriced: UnpricedPolicy;
  /** What each key gets where neither its project, its organization nor the key itself says otherwise. */
  readonly limits: readonly Limit[];
  readonly organizations: Readonly<Record<string, OrganizationConfig>>;
  readonly routes: readonly RouteConfig[];
  readonly plugins: readonly PluginConfig[];
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Processes that serve; 1: everything in one. */
  readonly workers: number;
  /** Bytes of one body, compressed or inflated. */
  readonly bodyLimit: number;
  /** Addresses and CIDR ranges whose `x-forwarded-for` is believed. */
  readonly trustProxy: readonly string[];
  /** Milliseconds in which the head of a request, and the whole of it, must have arrived: 408. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Milliseconds after which a client is cut that takes nothing of what waits for it. */
  readonly writeStall: number;
  /** Of each process; more are closed as they come. */
  readonly maxConnections: number;
  /** Of each process and client address; more are closed as they come. */
  readonly connectionsPerAddress: number;
  /** Bytes a second that a body must have on average, once `grace` milliseconds are over: 408. */
  readonly bodyRate: { readonly perSecond: number; readonly grace: number };
  /**
   * Of each process: exchanges open at once, milliseconds by which the event loop is late, and bytes of bodies, above which further ones are
   * refused; and the share of exchanges and bytes that one key may hold, above 0 and at most 1.
   */
  readonly overload: {
    readonly inFlight: number;
    readonly lag: number;
    readonly bodyBytes: number;
    readonly perKey: number;
  };
  /** Calls to providers whose client has left: milliseconds that each is read on, and how many at once, of each process and of each key there. */
  readonly readOn: { readonly time: number; readonly calls: number; readonly callsPerKey: number };
  /** Milliseconds: how long new connections are served after SIGTERM, and how long after that answers may take to end by themselves. */
  readonly drain: { readonly delay: number; readonly timeout: number };
  /** Is the configuration reloaded when its files change? */
  readonly watch: boolean;
  readonly tls?: TlsFiles;
}

/** Absolute paths of PEM files: the certificate with its chain, and the private key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ProviderConfig {
  readonly use: string;
  /** The hash that its files must have. */
  readonly integrity?: string;
  /** Validated against the provider's own schema. */
  readonly config: unknown;
  readonly timeouts: CallTimeouts & { readonly connect: number };
  /** May the gateway fetch media for targets that take bytes only? `allow`: origins that need not be public. */
  readonly fetchMedia: { readonly enabled: boolean; readonly allow: readonly string[] };
  /** Hosts and addresses that its connections may lead to although a cloud hands out credentials there. */
  readonly allowMetadata: readonly string[];
  /** Members of requests that are refused because the provider would choose models or addresses by them, beside those that it names itself. */
  readonly refuseMembers: readonly string[];
  /** Those that are passed on although the provider names them. */
  readonly acceptMembers: readonly string[];
}

/** How long one call to a provider may take. Milliseconds. */
export interface CallTimeouts {
  /** Until the head of the answer. */
  readonly firstByte: number;
  /** From the head of a stream to its first content; absent: only silence ends that. */
  readonly firstContent?: number;
  /** Without content; before the first, and in answers that are not streamed, without any bytes. */
  readonly idle: number;
  /** The call from beginning to end. */
  readonly total: number;
}

/** What becomes of targets whose price nobody knows: used, named once in the log of each start, or not used. */
export type UnpricedPolicy = 'allow' | 'warn' | 'reject';

export interface ModelConfig {
  /** Client wires that may name it; absent: all but `responses`. */
  readonly wires?: readonly WireName[];
  readonly targets: readonly TargetConfig[];
  readonly capabilities: CapabilityOverrides;
  /** The gateway places cache marks of this lifetime where the client's wire is another and the client has set none. */
  readonly promptCache?: CacheMark['ttl'];
  /** Instead of those of its providers. A connection belongs to no model: there is no `connect`. */
  readonly timeouts?: Partial<CallTimeouts>;
  readonly unpriced?: UnpricedPolicy;
}

export interface TargetConfig {
  readonly provider: string;
  readonly model: string;
  readonly wire?: WireName;
  /** The model's, unless the target has its own. */
  readonly price?: Price;
}

/** `limits` are shared by all below; `keyLimits` is what each key below gets, instead of what the level above gives. */
export interface OrganizationConfig {
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
  readonly projects: Readonly<Record<string, ProjectConfig>>;
}
export interface ProjectConfig {
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
  readonly keys: Readonly<Record<string, KeyConfig>>;
}
/** Exactly one of `key` (the secret, by a variable) and `sha256` (hex digest of it). */
export interface KeyConfig {
  readonly key?: string;
  readonly sha256?: string;
  readonly models: readonly string[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  /** Instead of any `keyLimits` above. */
  readonly limits?: readonly Limit[];
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
  readonly vendorState?: VendorStatePolicy;
}

export interface PluginConfig {
  readonly use: string;
  /** The hash that its files must have. */
  readonly integrity?: string;
  readonly config: unknown;
  /** Milliseconds that each of its hooks may take. */
  readonly timeout: number;
  /** What becomes of an exchange when a hook fails or is late: `fail` refuses it, `skip` goes on without the hook. A refusal is no failure. */
  readonly onError: 'fail' | 'skip';
}
