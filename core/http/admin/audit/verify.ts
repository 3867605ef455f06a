import { withAdvisoryLock } from '../../../services/database/advisory-lock.ts';
import { sql, type Database } from '../../../services/database/database.ts';
import type { AuditChainTable, AuditTable } from '../../../services/database/schema.ts';
import { AUDIT_LOCK, digestOf, isIntact, readChain, readPage } from './chain.ts';

/** The first place at which the audit log is not as the gateway wrote it. */
export interface BrokenEntry {
  readonly reason: 'changed' | 'removed' | 'inserted' | 'reordered';
  /** A removed entry is missing before this one; absent: the newest is missing. */
  readonly entry?: AuditTable | undefined;
}

export interface AuditReport {
  /** How many entries have a digest. */
  readonly entries: number;
  readonly oldest?: AuditTable | undefined;
  readonly newest?: AuditTable | undefined;
  /** How many are from before the chain. */
  readonly unchained: number;
  /** The digest of the newest entry. */
  readonly head: string;
  readonly broken?: BrokenEntry | undefined;
}

const findOne = (database: Database, column: 'digest' | 'previous', value: string): Promise<AuditTable | undefined> =>
  database.selectFrom('audit').selectAll().where(column, '=', value).limit(1).executeTakeFirst();

/** Why an entry does not follow the one before it in the order. @param last the digest of the one before */
const explain = async (
  database: Database,
  row: AuditTable & { readonly position: number },
  last: string,
  { head }: AuditChainTable,
): Promise<BrokenEntry> => {
  if (digestOf(row.previous ?? '', row) !== row.digest) {
    const [next] = await readPage(database, row.position);
    const follows = next?.previous ?? head;
    return { reason: follows === last && follows !== row.digest ? 'inserted' : 'changed', entry: row };
  }
  const before = await findOne(database, 'digest', row.previous ?? '');
  if (before?.position === null || before?.position === undefined) return { reason: 'removed', entry: row };
  if (before.position > row.position) return { reason: 'reordered', entry: row };
  const [inserted] = await readPage(database, before.position);
  return { reason: 'inserted', entry: inserted };
};

/** What the chain itself cannot show: entries outside it, at its end or from before it. */
const findOutside = async (database: Database): Promise<BrokenEntry | undefined> => {
  const { rows } = await sql<AuditTable>`
    SELECT audit.* FROM audit, audit_chain WHERE audit.position > audit_chain.position OR audit.position < 1
    ORDER BY audit.position LIMIT 1`.execute(database);
  if (rows[0] !== undefined) return { reason: 'inserted', entry: rows[0] };
  const earlier = await sql<{ found: number; unchained: number }>`
    SELECT (SELECT count(*) FROM audit WHERE position IS NULL) AS found, unchained FROM audit_chain`.execute(database);
  const { found = 0, unchained = 0 } = earlier.rows[0] ?? {};
  if (found === unchained) return undefined;
  const [newest, oldest] = await Promise.all(
    (['desc', 'asc'] as const).map((order) =>
      database
        .selectFrom('audit')
        .selectAll()
        .where('position', found > unchained ? 'is' : 'is not', null)
        .orderBy(found > unchained ? 'at' : 'position', order)
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return found > unchained ? { reason: 'inserted', entry: newest } : { reason: 'removed', entry: oldest };
};

const walk = async (database: Database, known: string | undefined): Promise<AuditReport> => {
  const chain = await readChain(database);
  const { pruned, head, position: end, unchained } = chain;
  let last = pruned;
  let isKnown = known === undefined || known === pruned;
  let entries = 0;
  let oldest: AuditTable | undefined;
  let newest: (AuditTable & { readonly position: number }) | undefined;
  const report = (broken: BrokenEntry | undefined): AuditReport => ({
    entries,
    oldest,
    newest,
    unchained,
    head,
    broken,
  });
  for (;;) {
    const page = await readPage(database, newest?.position ?? 0);
    for (const row of page) {
      if (row.position > end) break;
      if (!isIntact(row, last)) return report(await explain(database, row, last, chain));
      last = row.digest ?? '';
      isKnown ||= last === known;
      oldest ??= row;
      newest = row;
      entries += 1;
    }
    if (page.length === 0 || newest === undefined || newest.position >= end) break;
  }
  const isWhole = last === head && isKnown;
  return report(isWhole ? await findOutside(database) : { reason: 'removed' });
};

/**
 * Verifies the digests of the whole audit log. Gateways write meanwhile; only if something is wrong, it is verified
 * once more while they wait, since entries that are deleted after their retention look like removed ones.
 * @param known a digest of an earlier report, whose entry must still be there
 * @throws GatewayError `KOINE_STORE_FAILED`
 */
export async function verifyAudit(database: Database, known?: string): Promise<AuditReport> {
  const report = await walk(database, known);
  if (report.broken === undefined) return report;
  return withAdvisoryLock(database, AUDIT_LOCK, (transaction) => walk(transaction, known));
}
