import { readList } from '../../canonical/json/read.ts';
import type { Check, CheckContext } from '../checks/check.ts';
import { collectKeys } from '../checks/keys.ts';
import { entries, member } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { auditLimits, auditStoreFailures } from './limits.ts';
import { auditAdmin, auditProxies, auditServer } from './listeners.ts';
import { auditClearSecrets, auditShortSecrets } from './secrets.ts';
import { auditRedis, auditUrls, auditVerification } from './upstreams.ts';

/** A key that leaks unnoticed gives access until it expires. */
function* auditKeys({ data }: CheckContext): Iterable<Finding> {
  for (const { path, key } of collectKeys(data)) {
    if (member(key, 'expires') !== undefined || member(key, 'disabled') === true) continue;
    const message = `${describePath(path)} never expires. Set "expires" to a date, such as 2027-12-31.`;
    yield { path, on: 'key', rule: 'key-without-expiry', message };
  }
}

/** An extension can read every prompt and every credential, so changes of its files should be detected. */
function* auditExtensions({ data, plugins, providers }: CheckContext): Iterable<Finding> {
  const found = new Map(
    [...plugins, ...Object.values(providers)].map(({ kind, use, integrity }) => [`${kind} ${use}`, integrity]),
  );
  const uses: readonly (readonly [kind: string, entry: unknown, path: Path])[] = [
    ...entries(member(data, 'providers')).map(([name, entry]) => ['provider', entry, ['providers', name]] as const),
    ...readList(member(data, 'plugins')).map((entry, index) => ['plugin', entry, ['plugins', index]] as const),
  ];
  for (const [kind, entry, path] of uses) {
    const hash = found.get(`${kind} ${String(member(entry, 'use'))}`);
    if (hash === undefined || member(entry, 'integrity') !== undefined) continue;
    const message =
      `${describePath(path)} runs with all permissions of the gateway, and changes of its files are not detected. ` +
      `Pin its current files with: integrity: ${hash}`;
    yield { path: [...path, 'use'], rule: 'unpinned-extension', message };
  }
}

/** Each gives advice about a valid configuration. */
const audits: readonly Check[] = [
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
  audits.flatMap((audit) => Array.from(audit(context), (finding) => ({ ...finding, severity: 'advice' })));
