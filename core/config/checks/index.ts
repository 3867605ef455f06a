import { checkCertificates } from '../certificates/check-certificates.ts';
import type { Finding } from '../problem.ts';
import { checkAdmin } from './admin/access.ts';
import { checkPersonalKeys } from './admin/personal-keys.ts';
import { checkScim } from './admin/scim.ts';
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
import { checkDuplicateTargets, checkModels, checkUnusedProviders, checkWildcards } from './models.ts';
import { checkPlugins } from './plugins.ts';
import { checkDroppedUnits, checkMissingPrices, checkPrices, checkUnpriced } from './prices.ts';
import { checkDatabase } from './store/database.ts';
import { checkRedis } from './store/redis.ts';
import { checkRoutes } from './routes.ts';
import { checkSecretSources } from './secret-sources.ts';
import { checkMemory, checkDurations, checkKeepAlive, checkPorts, checkProxies } from './server.ts';
import { checkTimeouts } from './timeouts.ts';
import { checkLiteralVariables } from './values/literal-variables.ts';
import { checkPlausiblePrices } from './values/plausible-prices.ts';
import { checkShortSecrets } from './values/short-secrets.ts';

const checks: readonly Check[] = [
  checkAdmin,
  checkPersonalKeys,
  checkScim,
  checkAttribution,
  checkTags,
  checkPorts,
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
  checkDroppedUnits,
  checkHostedTools,
  checkSearchPrices,
  checkRoutes,
  checkPlugins,
  checkLiteralVariables,
];

export type { CheckContext };
export const checkData = (context: CheckContext): readonly Finding[] => checks.flatMap((check) => check(context));
