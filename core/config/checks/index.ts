import { checkCertificates } from '../certificates/check-certificates.ts';
import type { Finding } from '../problem.ts';
import { checkAdmin, checkScim } from './admin/access.ts';
import { checkAlerts } from './admin/alerts.ts';
import { checkPersonalKeys } from './admin/personal-keys.ts';
import { checkAliases } from './aliases.ts';
import type { Check, CheckContext } from './check.ts';
import { checkProviderCertificates, checkProviderProxies } from './connections.ts';
import { checkEachUser } from './each-user.ts';
import { checkMemberLists, checkPlugins } from './extensions.ts';
import {
  checkAttribution,
  checkDuplicateSecrets,
  checkExpiry,
  checkKeyModels,
  checkSecrets,
  checkSharedState,
  checkTags,
} from './keys.ts';
import { checkEnforcement, checkLimitModels, checkLimits } from './limits.ts';
import {
  checkDuplicateTargets,
  checkFixedTargets,
  checkModels,
  checkUnusedProviders,
  checkWildcards,
} from './models.ts';
import {
  checkAgents,
  checkDroppedUnits,
  checkMissingPrices,
  checkPlausiblePrices,
  checkPrices,
  checkUnpriced,
} from './prices.ts';
import { checkRoutes } from './routes.ts';
import { checkSecretSources } from './secret-sources.ts';
import { checkDurations, checkKeepAlive, checkMemory, checkPorts, checkProxies, createWorkersCheck } from './server.ts';
import { checkDatabase } from './store/database.ts';
import { checkRedis } from './store/redis.ts';
import { checkTimeouts } from './timeouts.ts';
import { checkBaseUrls, checkHosts, checkMediaOrigins, checkMetadataAddress } from './values/addresses.ts';
import { checkHostedTools, checkSearchPrices } from './values/hosted-tools.ts';
import { checkLiteralVariables, checkShortSecrets, checkVendorKeys } from './values/secrets.ts';

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
export const checkData = (context: CheckContext): readonly Finding[] => checks.flatMap((check) => [...check(context)]);
