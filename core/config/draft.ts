import type { GatewayConfig, KeyConfig, ModelConfig, PluginConfig, ProviderConfig, RouteConfig, ServerConfig } from './gateway-config.ts';

/** The file after validation, defaults filled in: durations, sizes, dates and paths still as written. */
export interface Draft {
  readonly server: Omit<ServerConfig, 'bodyLimit'> & { readonly bodyLimit: string };
  readonly admin: GatewayConfig['admin'];
  readonly store: GatewayConfig['store'];
  readonly stream: { readonly openAfter: string; readonly keepaliveEvery: string };
  readonly providers: Readonly<Record<string, DraftProvider>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly aliases: Readonly<Record<string, string>>;
  readonly organizations: Readonly<Record<string, DraftOrganization>>;
  readonly routes: readonly DraftRoute[];
  readonly plugins: readonly PluginConfig[];
}

export type DraftProvider = Omit<ProviderConfig, 'timeouts'> & { readonly timeouts: Readonly<Record<keyof ProviderConfig['timeouts'], string>> };
export type DraftKey = Omit<KeyConfig, 'expires'> & { readonly expires?: string };
export type DraftRoute = Pick<RouteConfig, 'path'> & Partial<RouteConfig>;
export interface DraftOrganization {
  readonly projects: Readonly<Record<string, { readonly keys: Readonly<Record<string, DraftKey>> }>>;
}
