import type { LimitSubject, LimitUnit } from '../../contracts/caller.ts';
import type { WrittenPrice } from '../../contracts/price.ts';
import type { VendorStatePolicy } from '../../contracts/request-members.ts';
import type { EmailConfig, WebhookConfig } from '../../services/alerts/alerts-config.ts';
import type { RedisConfig } from '../../services/redis/redis-config.ts';
import type { OidcConfig, PersonalKeysConfig } from '../admin-config.ts';
import type {
  CallTimeouts,
  GatewayConfig,
  KeyConfig,
  ModelConfig,
  OrganizationConfig,
  PluginConfig,
  ProjectConfig,
  ProviderConfig,
  RouteConfig,
  ServerConfig,
  TargetConfig,
} from '../gateway-config.ts';

/** The validated file with defaults. Durations, sizes, dates, limits, prices and paths are still as written. */
export interface Draft {
  /** Already resolved: the data of the included files is merged. */
  readonly include?: readonly string[];
  readonly server: DraftServer;
  readonly admin: DraftAdmin;
  readonly store: Omit<GatewayConfig['store'], 'redis' | 'redisTimeout'> & {
    readonly redis?: string | RedisConfig;
    readonly redisTimeout: string;
  };
  readonly alerts: DraftAlerts;
  readonly accessLog: { readonly start: boolean };
  readonly attribution: GatewayConfig['attribution'];
  readonly stream: { readonly openAfter: string; readonly keepaliveEvery: string };
  readonly responses: { readonly items: { readonly for: string; readonly size: string } };
  readonly providers: Readonly<Record<string, DraftProvider>>;
  readonly models: Readonly<Record<string, DraftModel>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly vendorState?: VendorStatePolicy;
  readonly unpriced: GatewayConfig['unpriced'];
  readonly unpricedTools: GatewayConfig['unpricedTools'];
  readonly codingAgents: GatewayConfig['codingAgents'];
  readonly limits: readonly DraftLimit[];
  readonly organizations: Readonly<Record<string, DraftOrganization>>;
  readonly routes: readonly DraftRoute[];
  readonly plugins: readonly DraftPlugin[];
}

export interface DraftAlerts {
  readonly webhook?: Omit<WebhookConfig, 'timeout'> & { readonly timeout: string };
  readonly email?: Omit<EmailConfig, 'timeout'> & { readonly timeout: string };
}
export type DraftAdmin = Omit<GatewayConfig['admin'], 'auditRetention' | 'oidc' | 'personalKeys'> & {
  readonly auditRetention: string;
  readonly oidc?: Omit<OidcConfig, 'sessionTime' | 'refresh'> & {
    readonly sessionTime: string;
    readonly refresh?: string;
  };
  readonly personalKeys?: Omit<PersonalKeysConfig, 'maxLifetime' | 'limits'> & {
    readonly maxLifetime: string;
    readonly limits?: readonly DraftLimit[];
  };
};
type ServerDuration = 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'writeStall' | 'backgroundTimeout';
export type DraftServer = Omit<
  ServerConfig,
  'bodyLimit' | 'workers' | 'bodyRate' | 'overload' | 'readOn' | 'drain' | ServerDuration
> &
  Readonly<Record<'bodyLimit' | ServerDuration, string>> & {
    readonly workers: number | 'auto';
    readonly bodyRate: { readonly perSecond: string; readonly grace: string };
    /** `memory` absent: derived from the heap. */
    readonly overload: Omit<ServerConfig['overload'], 'lag' | 'memory' | 'disk'> &
      Readonly<Record<'lag' | 'disk', string>> & { readonly memory?: string };
    readonly readOn: Omit<ServerConfig['readOn'], 'time'> & { readonly time: string };
    readonly drain: { readonly delay: string; readonly timeout: string };
  };
export type DraftPlugin = Omit<PluginConfig, 'timeout'> & { readonly timeout: string };
/** {@link CallTimeouts} with durations as written. */
export type DraftTimeouts = { readonly [K in keyof CallTimeouts]: string };
export type DraftProvider = Omit<ProviderConfig, 'timeouts'> & {
  readonly timeouts: DraftTimeouts & { readonly connect: string };
};
export type DraftRoute = Pick<RouteConfig, 'path'> &
  Partial<Omit<RouteConfig, 'bodyLimit'>> & { readonly bodyLimit?: string };

type DraftPrice = WrittenPrice | readonly WrittenPrice[];
export type DraftTarget = Omit<TargetConfig, 'price'> & { readonly price?: DraftPrice };
export type DraftModel = Omit<ModelConfig, 'targets' | 'timeouts' | 'allowsUnpriced'> & {
  readonly targets: readonly DraftTarget[];
  readonly price?: DraftPrice;
  readonly timeouts?: Partial<DraftTimeouts>;
};

/** `{ requests: 60, per: 1m }`: has exactly one unit; `cost` is in USD. */
export type DraftLimit = { readonly [U in LimitUnit]?: number } & {
  readonly per?: string;
  readonly burst?: number;
  readonly soft?: readonly number[];
  readonly models: readonly string[];
  readonly each?: LimitSubject;
  readonly enforce: boolean;
  readonly onStoreFailure?: 'local' | 'allow' | 'deny';
};
export type DraftKey = Omit<KeyConfig, 'expires' | 'limits'> & {
  readonly expires?: string;
  readonly limits?: readonly DraftLimit[];
};
interface DraftLimits {
  readonly limits: readonly DraftLimit[];
  readonly keyLimits?: readonly DraftLimit[];
}
export interface DraftProject extends DraftLimits, Pick<ProjectConfig, 'tags' | 'hostedTools'> {
  readonly keys: Readonly<Record<string, DraftKey>>;
}
export interface DraftOrganization extends DraftLimits, Pick<OrganizationConfig, 'hostedTools'> {
  readonly projects: Readonly<Record<string, DraftProject>>;
}
