import { loadConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { verifyAudit, type AuditReport, type BrokenEntry } from '../../http/admin/audit/verify.ts';
import { openDatabase } from '../../services/database/database.ts';
import type { AuditTable } from '../../services/database/schema.ts';
import { checkFormat, checkVerb, MisuseError, parseOptions } from '../command.ts';
import { verifyOptions } from '../options/requests.ts';

const writeTime = ({ at }: AuditTable): string => new Date(at).toISOString();

const describeEntry = (entry: AuditTable): string =>
  `entry ${entry.id} of ${writeTime(entry)} (${entry.action} by ${entry.actor})`;

const describeBroken = ({ reason, entry }: BrokenEntry, head: string | undefined): string => {
  if (entry === undefined)
    return head === undefined
      ? 'the newest entries were removed'
      : `the newest entries were removed, or the entry with the digest ${head} is older than the oldest that is kept`;
  if (reason === 'removed') return `entries before the ${describeEntry(entry)} were removed`;
  return `the ${describeEntry(entry)} was ${reason}`;
};

const describe = ({ entries, oldest, newest, unchained, head, broken }: AuditReport, known?: string): string => {
  const range = oldest && newest ? `, from ${writeTime(oldest)} to ${writeTime(newest)}` : '';
  const place = broken === undefined ? '' : describeBroken(broken, known);
  const lines = [
    broken === undefined
      ? `The audit log is whole: ${entries} entries${range}.`
      : `The audit log is not whole: ${place}. The ${entries} entries before are whole${range}.`,
    ...(unchained > 0 ? [`${unchained} older entries are not verified: they were written without a digest.`] : []),
    `head ${head}`,
  ];
  return lines.join('\n');
};

const verify = async (args: readonly string[], builtIns: BuiltIns): Promise<number> => {
  const { config: file, head, format } = parseOptions(args, verifyOptions);
  checkFormat(format);
  if (head !== undefined && !/^[\da-f]{64}$/.test(head))
    throw new MisuseError('--head must be the 64 digits that an earlier koine audit verify has printed after "head".');
  const { config } = await loadConfig(file, builtIns, process.env);
  const database = await openDatabase(config.store.database);
  try {
    const report = await verifyAudit(database, head);
    console.log(format === 'json' ? JSON.stringify(report, undefined, 2) : describe(report, head));
    return report.broken === undefined ? 0 : 1;
  } finally {
    await database.destroy();
  }
};

/** `koine audit verify`: docs/govern/audit.md. */
export async function audit([verb, ...args]: readonly string[], builtIns: BuiltIns): Promise<number> {
  checkVerb('audit', 'verify', verb);
  return verify(args, builtIns);
}
