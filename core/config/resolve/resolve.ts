import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { mapValues } from '../../canonical/json/map-values.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { DEFAULT_WIRE } from '../../canonical/wire.ts';
import type { OidcConfig, PersonalKeysConfig } from '../admin-config.ts';
import type { EmailConfig } from '../../services/alerts/alerts-config.ts';
import type { Registry } from '../../extensions/registry.ts';
import type {
  Draft,
  DraftAdmin,
  DraftAlerts,
  DraftKey,
  DraftModel,
  DraftOrganization,
  DraftProvider,
  DraftRoute,
  DraftServer,
} from '../schema/draft.ts';
import { parseDuration } from '../units/duration.ts';
import { parseExpiry } from '../units/expiry.ts';
import type {
  GatewayConfig,
  KeyConfig,
  ModelConfig,
  OrganizationConfig,
  ProviderConfig,
  RouteConfig,
  ServerConfig,
  TlsFiles,
} from '../gateway-config.ts';
import { resolveKeyLimits, resolveLimit } from './resolve-limit.ts';
import { readClientTls } from './read-pem.ts';
import { resolveMemory } from './resolve-memory.ts';
import { resolvePrices } from './resolve-price.ts';
import { defaultOperation } from './default-operation.ts';
import { parseSize } from '../units/size.ts';

export interface ResolveContext {
  /** Absolute path of the folder of the file, to which relative paths refer. */
  readonly folder: string;
  readonly registry: Registry;
  /** Whether the file sets `routes`. If not, the standard routes apply, as far as their wires exist. */
  readonly ownRoutes: boolean;
}

const resolveDatabase = (database: string, folder: string): string => {
  const path = database.slice('sqlite:'.length);
  return path === ':memory:' || !database.startsWith('sqlite:') ? database : `sqlite:${resolve(folder, path)}`;
};

const resolveTls = (tls: TlsFiles | undefined, folder: string): { readonly tls?: TlsFiles } =>
  tls === undefined ? {} : { tls: { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) } };

/** An empty URL, such as that of a variable without a value, is none. */
const resolveRedis = (redis: Draft['store']['redis'], folder: string): Pick<GatewayConfig['store'], 'redis'> => {
  if (redis === undefined || redis === '') return {};
  if (typeof redis === 'string') return { redis: { url: redis } };
  const { tls, ...config } = redis;
  return { redis: { ...config, ...(tls === undefined ? {} : { tls: readClientTls(tls, folder) }) } };
};

const resolveOidc = ({
  clientSecret,
  scopes,
  sessionTime,
  refresh,
  ...oidc
}: NonNullable<DraftAdmin['oidc']>): OidcConfig => ({
  ...oidc,
  ...(clientSecret ? { clientSecret } : {}),
  scopes: [...new Set(['openid', ...scopes])],
  sessionTime: parseDuration(sessionTime),
  ...(refresh === undefined ? {} : { refresh: parseDuration(refresh) }),
});

const resolvePersonalKeys = ({
  maxLifetime,
  limits,
  ...settings
}: NonNullable<DraftAdmin['personalKeys']>): PersonalKeysConfig =>
  omitUndefined({ ...settings, maxLifetime: parseDuration(maxLifetime), limits: limits?.map(resolveLimit) });

const resolveAdmin = (
  { token, tls, oidc, personalKeys, auditRetention, ...admin }: DraftAdmin,
  folder: string,
): GatewayConfig['admin'] => ({
  ...admin,
  ...(token === undefined || token === '' ? {} : { token }),
  ...(oidc === undefined ? {} : { oidc: resolveOidc(oidc) }),
  ...(personalKeys === undefined ? {} : { personalKeys: resolvePersonalKeys(personalKeys) }),
  auditRetention: parseDuration(auditRetention),
  ...resolveTls(tls, folder),
});

/** An empty user, such as that of a variable without a value, is none. */
const resolveEmail = ({ user, password, timeout, ...email }: NonNullable<DraftAlerts['email']>): EmailConfig => ({
  ...email,
  ...(user ? { user, password: password ?? '' } : {}),
  timeout: parseDuration(timeout),
});

const resolveAlerts = ({ webhook, email }: DraftAlerts): GatewayConfig['alerts'] =>
  omitUndefined({
    webhook: webhook && { ...webhook, timeout: parseDuration(webhook.timeout) },
    email: email && resolveEmail(email),
  });

const resolveServer = (
  { tls, bodyRate, overload, readOn, drain, ...server }: DraftServer,
  folder: string,
): ServerConfig => ({
  ...server,
  workers: server.workers === 'auto' ? availableParallelism() : server.workers,
  bodyLimit: parseSize(server.bodyLimit),
  headersTimeout: parseDuration(server.headersTimeout),
  requestTimeout: parseDuration(server.requestTimeout),
  keepAliveTimeout: parseDuration(server.keepAliveTimeout),
  writeStall: parseDuration(server.writeStall),
  backgroundTimeout: parseDuration(server.backgroundTimeout),
  bodyRate: { perSecond: parseSize(bodyRate.perSecond), grace: parseDuration(bodyRate.grace) },
  overload: {
    ...overload,
    lag: parseDuration(overload.lag),
    memory: resolveMemory(overload, parseSize(server.bodyLimit)),
    disk: parseSize(overload.disk),
  },
  readOn: { ...readOn, time: parseDuration(readOn.time) },
  drain: { delay: parseDuration(drain.delay), timeout: parseDuration(drain.timeout) },
  ...resolveTls(tls, folder),
});

const resolveProvider = ({ timeouts, tls, ...provider }: DraftProvider, folder: string): ProviderConfig => ({
  ...provider,
  ...(tls === undefined ? {} : { tls: readClientTls(tls, folder) }),
  timeouts: omitUndefined({
    connect: parseDuration(timeouts.connect),
    firstByte: parseDuration(timeouts.firstByte),
    firstContent: timeouts.firstContent === undefined ? undefined : parseDuration(timeouts.firstContent),
    idle: parseDuration(timeouts.idle),
    total: parseDuration(timeouts.total),
  }),
});

const resolveKey = ({ sha256, expires, limits, ...key }: DraftKey): KeyConfig =>
  omitUndefined({
    ...key,
    limits: limits?.map(resolveLimit),
    sha256: sha256?.toLowerCase(),
    expires: expires === undefined ? undefined : parseExpiry(expires),
  });

const resolveOrganization = (organization: DraftOrganization): OrganizationConfig => ({
  limits: organization.limits.map(resolveLimit),
  ...resolveKeyLimits(organization),
  ...(organization.hostedTools === undefined ? {} : { hostedTools: organization.hostedTools }),
  projects: mapValues(organization.projects, (project) => ({
    limits: project.limits.map(resolveLimit),
    ...resolveKeyLimits(project),
    ...(project.tags === undefined ? {} : { tags: project.tags }),
    ...(project.hostedTools === undefined ? {} : { hostedTools: project.hostedTools }),
    keys: mapValues(project.keys, resolveKey),
  })),
});

/** The source of the prices in the file. */
const CONFIGURED = { page: 'gateway.yaml' };

const resolveModel = (
  { unpriced, unpricedTools }: Pick<Draft, 'unpriced' | 'unpricedTools'>,
  { price: shared, targets, timeouts, ...model }: DraftModel,
): ModelConfig =>
  omitUndefined({
    unpriced,
    unpricedTools,
    ...model,
    allowsUnpriced: model.unpriced === 'allow' ? true : undefined,
    timeouts: mapValues(timeouts, parseDuration),
    targets: targets.map(({ price = shared, ...target }) =>
      omitUndefined({ ...target, price: price && resolvePrices(price, CONFIGURED) }),
    ),
  });

const resolveRoute = (
  { bodyLimit, ...route }: DraftRoute,
  { vendorState }: Pick<Draft, 'vendorState'>,
  { codecs }: Registry,
): RouteConfig => {
  const wire = route.wire ?? DEFAULT_WIRE;
  return {
    ...(vendorState && { vendorState }),
    ...route,
    ...(bodyLimit !== undefined && { bodyLimit: parseSize(bodyLimit) }),
    wire,
    operation: route.operation ?? defaultOperation(wire, codecs),
  };
};

const isServed = ({ operation, wire }: RouteConfig, { codec }: Registry): boolean =>
  operation === 'models' || codec(operation, wire)?.client !== undefined;

/** The model of an alias, through any number of aliases. The references are valid. */
const resolveAlias = (target: string, aliases: Draft['aliases']): string => {
  const next = Object.hasOwn(aliases, target) ? aliases[target] : undefined;
  return next === undefined ? target : resolveAlias(next, aliases);
};

/** Converts a draft that has passed every check to the configuration that the gateway uses. */
export function resolveDraft(draft: Draft, { folder, registry, ownRoutes }: ResolveContext): GatewayConfig {
  const { include: _merged, ...settings } = draft;
  const { server, admin, stream } = draft;
  const routes = draft.routes.map((route) => resolveRoute(route, draft, registry));
  return {
    ...settings,
    server: resolveServer(server, folder),
    admin: resolveAdmin(admin, folder),
    store: {
      database: resolveDatabase(draft.store.database, folder),
      ...resolveRedis(draft.store.redis, folder),
      redisTimeout: parseDuration(draft.store.redisTimeout),
    },
    alerts: resolveAlerts(draft.alerts),
    stream: { openAfter: parseDuration(stream.openAfter), keepaliveEvery: parseDuration(stream.keepaliveEvery) },
    responses: {
      items: { for: parseDuration(draft.responses.items.for), size: parseSize(draft.responses.items.size) },
    },
    providers: mapValues(draft.providers, (provider) => resolveProvider(provider, folder)),
    aliases: mapValues(draft.aliases, (target) => resolveAlias(target, draft.aliases)),
    models: mapValues(draft.models, (model) => resolveModel(draft, model)),
    limits: draft.limits.map(resolveLimit),
    organizations: mapValues(draft.organizations, resolveOrganization),
    plugins: draft.plugins.map((plugin) => ({ ...plugin, timeout: parseDuration(plugin.timeout) })),
    routes: ownRoutes ? routes : routes.filter((route) => isServed(route, registry)),
  };
}
