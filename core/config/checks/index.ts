import { checkCertificates } from '../certificates/check-certificates.ts';
import type { Finding } from '../problem.ts';
import { checkAdmin } from './admin/access.ts';
import { checkPersonalKeys } from './admin/personal-keys.ts';
import { checkScim } from './admin/scim.ts';
import { checkAlerts } from './admin/alerts.ts';
import { checkAliases } from './aliases.ts';
import type { Check, CheckContext } from './check.ts';
import {
  checkAttribution,
  checkDuplicateSecrets,
  checkExpiry,
  checkKeyModels,
  checkPastExpiry,
  checkSecrets,
  checkTags,
} from './keys.ts';
import { checkEachUser } from './each-user.ts';
import { checkHostedTools, checkSearchPrices } from './values/hosted-tools.ts';
import { checkEnforcement, checkLimitModels, checkLimits } from './limits.ts';
import { checkProviderCertificates, checkProviderProxies } from './connections.ts';
import { checkMediaOrigins } from './media-origins.ts';
import { checkMemberLists } from './member-lists.ts';
import { checkMetadataAddress } from './metadata-address.ts';
import {
  checkDuplicateTargets,
  checkFixedTargets,
  checkModels,
  checkUnusedProviders,
  checkWildcards,
} from './models.ts';
import { checkPlugins } from './plugins.ts';
import { checkAgents, checkDroppedUnits, checkMissingPrices, checkPrices, checkUnpriced } from './prices.ts';
import { checkDatabase } from './store/database.ts';
import { checkRedis } from './store/redis.ts';
import { checkRoutes } from './routes.ts';
import { checkSecretSources } from './secret-sources.ts';
import { checkMemory, checkDurations, checkKeepAlive, checkPorts, checkProxies, createWorkersCheck } from './server.ts';
import { checkSharedState } from './values/shared-state.ts';
import { checkTimeouts } from './timeouts.ts';
import { checkBaseUrls } from './values/base-urls.ts';
import { checkHosts } from './values/hosts.ts';
import { checkVendorKeys } from './values/vendor-keys.ts';
import { checkLiteralVariables } from './values/literal-variables.ts';
import { checkPlausiblePrices } from './values/plausible-prices.ts';
import { checkShortSecrets } from './values/short-secrets.ts';

const checks: readonly Check[] = [
  checkAdmin,
  checkPersonalKeys,
  checkScim,
  checkAlerts,
  checkAttribution,
  checkTags,
  checkPorts,
  checkHosts,
  checkBaseUrls,
  checkVendorKeys,
  createWorkersCheck(),
  checkProxies,
  checkMediaOrigins,
  checkMemberLists,
  checkMetadataAddress,
  checkProviderProxies,
  checkProviderCertificates,
  checkSecretSources,
  checkCertificates,
  checkDatabase,
  checkRedis,
  checkDurations,
  checkKeepAlive,
  checkTimeouts,
  checkMemory,
  checkModels,
  checkWildcards,
  checkFixedTargets,
  checkUnusedProviders,
  checkDuplicateTargets,
  checkAliases,
  checkSecrets,
  checkShortSecrets,
  checkDuplicateSecrets,
  checkKeyModels,
  checkExpiry,
  checkPastExpiry,
  checkLimits,
  checkLimitModels,
  checkEnforcement,
  checkEachUser,
  checkPrices,
  checkPlausiblePrices,
  checkMissingPrices,
  checkUnpriced,
  checkAgents,
  checkDroppedUnits,
  checkHostedTools,
  checkSearchPrices,
  checkRoutes,
  checkSharedState,
  checkPlugins,
  checkLiteralVariables,
];

export type { CheckContext };
export const checkData = (context: CheckContext): readonly Finding[] => checks.flatMap((check) => check(context));
