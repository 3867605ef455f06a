import type { CheckContext } from '../checks/check.ts';
import type { Finding } from '../problem.ts';
import { auditExtensions } from './extensions.ts';
import { auditKeys } from './keys.ts';
import { auditLimits, auditStoreFailures } from './limits.ts';
import { auditAdmin, auditProxies, auditServer } from './listeners.ts';
import { auditClearSecrets, auditShortSecrets } from './secrets.ts';
import { auditRedis, auditUrls, auditVerification } from './upstreams.ts';

/** A check that gives advice about a valid configuration. */
type Audit = (context: CheckContext) => readonly Omit<Finding, 'severity'>[];

const audits: readonly Audit[] = [
  auditAdmin,
  auditServer,
  auditProxies,
  auditClearSecrets,
  auditShortSecrets,
  auditKeys,
  auditLimits,
  auditStoreFailures,
  auditUrls,
  auditRedis,
  auditVerification,
  auditExtensions,
];

/** The findings of a security review, for `koine check --audit`. */
export const auditData = (context: CheckContext): readonly Finding[] =>
  audits.flatMap((audit) => audit(context).map((finding) => ({ ...finding, severity: 'advice' })));
