import type { CapabilityOverrides } from '../contracts/capabilities.ts';
import type { HostedToolKind } from '../canonical/tool.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { CostHeaders, HostedToolsSetting, Limit } from '../contracts/caller.ts';
import type { Price, UnpricedPolicy } from '../contracts/price.ts';
import type { VendorStatePolicy } from '../contracts/request-members.ts';
import type { ClientTls } from '../services/network/client-tls.ts';
import type { AlertsConfig } from '../services/alerts/alerts-config.ts';
import type { RedisConfig } from '../services/redis/redis-config.ts';
import type { AdminConfig } from './admin-config.ts';
import type { WrittenDefaults } from './defaults-config.ts';
import type { ResponsesConfig } from './responses-config.ts';

/**
 * `gateway.yaml` after loading: interpolated, validated, with defaults, durations in milliseconds, sizes in bytes and
 * absolute paths. Frozen.
 */
export interface GatewayConfig {
  readonly server: ServerConfig;
  readonly admin: AdminConfig & { readonly tls?: TlsFiles };
  readonly store: {
    /** `sqlite:<path>` or `postgres://…`, also with several hosts. */
    readonly database: string;
    /** Absent: the main thread counts the limits. */
    readonly redis?: RedisConfig;
    /** How long a request waits for Redis, in milliseconds. */
    readonly redisTimeout: number;
  };
  readonly alerts: AlertsConfig;
  /** `start`: log a line when an exchange starts, in addition to the one when it ends. */
  readonly accessLog: { readonly start: boolean };
  readonly attribution: {
    /** Whether the end users of requests are recorded: as named, as a keyed digest, or not at all. */
    readonly user: 'plain' | 'hash' | 'ignore';
    /** The key of the digests. */
    readonly secret?: string;
  };
  readonly stream: {
    /** Milliseconds without content after which the response is opened with its status and keepalives. */
    readonly openAfter: number;
    /** Milliseconds between two keepalives of a silent stream. */
    readonly keepaliveEvery: number;
  };
  readonly responses: ResponsesConfig;
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** The policy of models that do not set their own. */
  readonly unpriced: UnpricedPolicy;
  readonly unpricedTools: readonly HostedToolKind[];
  /** Products in `user-agent` whose hosted tools are dropped, unless `hostedTools` says otherwise. */
  readonly codingAgents: readonly string[];
  /** The limits of each key, unless its organization, its project or the key itself sets others. */
  readonly limits: readonly Limit[];
  readonly organizations: Readonly<Record<string, OrganizationConfig>>;
  readonly routes: readonly RouteConfig[];
  readonly plugins: readonly PluginConfig[];
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Worker threads. 1: the main thread serves, without workers. */
  readonly workers: number;
  /** The largest request body in bytes, compressed or decompressed. */
  readonly bodyLimit: number;
  /** Addresses and CIDR ranges of proxies whose `x-forwarded-for` is trusted. */
  readonly trustProxy: readonly string[];
  /** Milliseconds within which the headers of a request must arrive; then 408. */
  readonly headersTimeout: number;
  /** The same for the whole request. */
  readonly requestTimeout: number;
  /** Milliseconds after which a connection without a request is closed. */
  readonly keepAliveTimeout: number;
  /** Milliseconds after which a client that reads nothing of its pending response is disconnected. */
  readonly writeStall: number;
  /** Milliseconds after which a background response that has not ended is charged its reservation. */
  readonly backgroundTimeout: number;
  /** Connections of the process, and of one client address. Further ones are closed at once. */
  readonly maxConnections: number;
  readonly connectionsPerAddress: number;
  /** A connection closes after so many requests. Absent: it does not. */
  readonly maxRequestsPerConnection?: number;
  /** The average bytes per second that a body must reach after `grace` milliseconds; else 408. */
  readonly bodyRate: { readonly perSecond: number; readonly grace: number };
  /** Thresholds per process above which further requests are refused. */
  readonly overload: {
    /** Open exchanges, and open multipart forms with the bytes on disk of their files. */
    readonly inFlight: number;
    readonly uploads: number;
    readonly disk: number;
    /** Delay of the event loop in milliseconds. */
    readonly lag: number;
    /** Bytes of memory that the bodies of open exchanges may take. */
    readonly memory: number;
    /** Steps of computation that plugins do for requests, within some seconds. */
    readonly steps: number;
    /** The share of each of these but `lag` that one key can hold, above 0 and at most 1. */
    readonly perKey: number;
  };
  /** Upstream calls that are read to their end after their client has disconnected. */
  readonly readOn: {
    /** The longest time for each call, in milliseconds. */
    readonly time: number;
    /** How many at once: in all, and for one key. */
    readonly calls: number;
    readonly callsPerKey: number;
  };
  readonly drain: {
    /** Milliseconds after SIGTERM in which new connections are still served. */
    readonly delay: number;
    /** Milliseconds after that in which open responses can complete. */
    readonly timeout: number;
  };
  /** Serve wires over WebSocket too. */
  readonly websocket: boolean;
  /** Reload when a file of the configuration or of an extension changes. */
  readonly watch: boolean;
  readonly tls?: TlsFiles;
}

/** Absolute paths of PEM files: the certificate with its chain, and the private key. */
export type TlsFiles = Readonly<Record<'cert' | 'key', string>>;

export interface ProviderConfig {
  readonly use: string;
  /** The hash that the files of the extension must have. */
  readonly integrity?: string;
  /** Validated against the provider's own schema. */
  readonly config: unknown;
  readonly timeouts: CallTimeouts & { readonly connect: number };
  /** Fetching of media that clients name by URL, for targets that accept bytes only. */
  readonly fetchMedia: {
    readonly enabled: boolean;
    /** Origins that are allowed although they are not public. */
    readonly allow: readonly string[];
  };
  /** `environment`, or the URL of a proxy, which can contain a password. Absent: connections are direct. */
  readonly proxy?: string;
  readonly tls?: ClientTls;
  /** Metadata addresses of clouds that connections of this provider can use. */
  readonly allowMetadata: readonly string[];
  /** Request members that are refused in addition to those that the provider lists: they select models or addresses. */
  readonly refuseMembers: readonly string[];
  /** Request members that are passed on although the provider lists them. */
  readonly acceptMembers: readonly string[];
  /** Multiplies all prices at the provider: a discount or a margin. Absent: 1. */
  readonly priceFactor?: number;
}

/** Timeouts of one call to a provider, in milliseconds. */
export interface CallTimeouts {
  /** From the start of the call to the response headers. */
  readonly firstByte: number;
  /** From the headers of a stream to its first content. Absent: only `idle` applies. */
  readonly firstContent?: number;
  /** Between two pieces of content; before the first, and in responses that are not streamed, between any bytes. */
  readonly idle: number;
  /** The whole call. */
  readonly total: number;
}

export interface ModelConfig {
  /** Client wires on which the model is available. Absent: all but `responses`. */
  readonly wires?: readonly WireName[];
  readonly targets: readonly TargetConfig[];
  readonly capabilities: CapabilityOverrides;
  /** The lifetime of cache marks that the gateway adds when the request is translated and has none. */
  readonly promptCache?: CacheMark['ttl'];
  /** Set in generation requests that do not set them. */
  readonly defaults?: WrittenDefaults;
  /** Override those of its providers. Connections are shared by models, so there is no `connect`. */
  readonly timeouts?: Partial<CallTimeouts>;
  readonly unpriced?: UnpricedPolicy;
  /** Its own `unpriced` is `allow`, not only that of the file: it is used under a limit of cost without a price. */
  readonly allowsUnpriced?: true;
  readonly unpricedTools?: readonly HostedToolKind[];
  readonly hostedTools?: HostedToolsSetting;
  /** Multiplies the prices of its targets, and so does that of the provider. */
  readonly priceFactor?: number;
}

export interface TargetConfig {
  readonly provider: string;
  readonly model: string;
  readonly wire?: WireName;
  /** Its own price, or else that of the model, without any `priceFactor`. A list: prices with dates. */
  readonly price?: readonly Price[];
}

/** `limits` are shared by all its keys. `keyLimits` apply to each of its keys, instead of those of the level above. */
interface LevelConfig {
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
  readonly hostedTools?: HostedToolsSetting;
}
export interface OrganizationConfig extends LevelConfig {
  readonly projects: Readonly<Record<string, ProjectConfig>>;
}
export interface ProjectConfig extends LevelConfig {
  /** Of every request of its keys. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<string, KeyConfig>>;
}
/** Has exactly one of `key` (the secret) and `sha256` (the hex digest of the secret). */
export interface KeyConfig {
  readonly key?: string;
  readonly sha256?: string;
  readonly models: readonly string[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  readonly costHeaders?: CostHeaders;
  readonly hostedTools?: HostedToolsSetting;
  /** Replace any `keyLimits` of the levels above. */
  readonly limits?: readonly Limit[];
  /** Of every request of the key. They replace those of its project by name. */
  readonly tags?: Readonly<Record<string, string>>;
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
  readonly costHeaders?: CostHeaders;
  readonly bodyLimit?: number;
  readonly hostedTools?: HostedToolsSetting;
}

export interface PluginConfig {
  readonly use: string;
  /** The hash that the files of the extension must have. */
  readonly integrity?: string;
  readonly config: unknown;
  /** The time limit of each hook, in milliseconds. */
  readonly timeout: number;
  /** When a hook fails or times out: refuse the exchange, or continue without the hook. A refusal is no failure. */
  readonly onError: 'fail' | 'skip';
}
