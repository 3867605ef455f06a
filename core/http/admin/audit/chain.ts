import { hash, randomUUID } from 'node:crypto';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { Database } from '../../../services/database/database.ts';
import type { AuditChainTable, AuditTable } from '../../../services/database/schema.ts';

/** All transactions that write the audit log take the advisory lock of this name. */
export const AUDIT_LOCK = 'audit';

/** What an entry says, without its place in the chain. */
export type AuditContent = Omit<AuditTable, 'position' | 'previous' | 'digest'>;

/** Before all positions. */
const FIRST = 0;

/**
 * SHA-256 of the digest of the entry before and of all columns with content: a JSON array of texts, integers and null,
 * which has one way to be written. `position` only sorts: the order is that of the digests.
 */
export const digestOf = (previous: string, row: AuditContent): string => {
  const { id, at, kind, actor, issuer, subject, role, action, target, before, after, status, count, address } = row;
  const columns = [id, at, kind, actor, issuer, subject, role, action, target, before, after, status, count, address];
  return hash('sha256', JSON.stringify([previous, ...columns]));
};

/** The databases have no text with U+0000, and no half of a surrogate pair: the digest would differ after reading. */
export const writeText = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}');

/** @throws GatewayError `KOINE_STORE_FAILED` if the row was deleted */
export async function readChain(database: Database): Promise<AuditChainTable> {
  const chain = await database.selectFrom('audit_chain').selectAll().executeTakeFirst();
  if (chain !== undefined) return chain;
  throw new GatewayError(
    'KOINE_STORE_FAILED',
    'The table audit_chain has no row, so that the audit log cannot be continued. Restore it from a backup.',
  );
}

/** Appends entries, under the lock. */
export async function append(transaction: Database, entries: readonly Omit<AuditContent, 'id'>[]): Promise<void> {
  let { position, head } = await readChain(transaction);
  const rows = entries.map((entry): AuditTable => {
    const content = { id: randomUUID(), ...entry };
    const previous = head;
    head = digestOf(previous, content);
    position += 1;
    return { ...content, position, previous, digest: head };
  });
  await transaction.insertInto('audit').values(rows).execute();
  await transaction.updateTable('audit_chain').set({ position, head }).execute();
}

/** Entries that are read at once. */
export const PAGE = 1_000;

/** Whether the entry follows the one with the digest `previous`, and is as it was written. */
export const isIntact = (row: AuditTable, previous: string): boolean =>
  row.previous === previous && digestOf(previous, row) === row.digest;

/** The entries of the chain after a position, in order. */
export const readPage = (
  database: Database,
  after: number,
): Promise<readonly (AuditTable & { readonly position: number })[]> =>
  database
    .selectFrom('audit')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(PAGE)
    .$narrowType<{ position: number }>()
    .execute();

/**
 * Deletes the oldest entries, under the lock: at most a page, and none after the first one that is new enough, so that
 * the rest is a whole chain. An entry that was changed is not deleted: its time could be what was changed.
 * @param before Unix milliseconds, exclusive
 * @returns whether there can be more
 * @throws GatewayError `KOINE_STORE_FAILED` for an entry that was changed
 */
export async function prune(transaction: Database, before: number): Promise<boolean> {
  const { unchained, pruned } = await readChain(transaction);
  const earlier = await transaction
    .deleteFrom('audit')
    .where('position', 'is', null)
    .where('at', '<', before)
    .executeTakeFirst();
  const page = await readPage(transaction, FIRST);
  const end = page.findIndex(({ at }) => at >= before);
  const old = end === -1 ? page : page.slice(0, end);
  let previous = pruned;
  for (const row of old) {
    if (!isIntact(row, previous))
      throw new GatewayError(
        'KOINE_STORE_FAILED',
        `The entry ${row.id} of the audit log was changed, or entries before it are missing, so that no old entries ` +
          'are deleted. Run koine audit verify.',
      );
    previous = row.digest ?? '';
  }
  await transaction
    .deleteFrom('audit')
    .where('position', '<=', old.at(-1)?.position ?? FIRST)
    .execute();
  await transaction
    .updateTable('audit_chain')
    .set({ pruned: previous, unchained: Math.max(0, unchained - Number(earlier.numDeletedRows)) })
    .execute();
  return old.length === PAGE;
}
