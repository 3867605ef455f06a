import { randomUUID } from 'node:crypto';
import { redactKeys } from '../../../canonical/text/redact.ts';
import type { Clock, Log } from '../../../contracts/services.ts';
import type { Database } from '../../../services/database/database.ts';
import type { AuditTable } from '../../../services/database/schema.ts';

/** One call of the admin listener, as `GET /admin/audit` returns it, with its time in Unix milliseconds. */
export interface AuditEntry {
  readonly at: number;
  readonly actor: string;
  readonly role: string;
  /** Method and declared path: `POST /admin/keys`. */
  readonly action: string;
  readonly target?: string | undefined;
  /** JSON without secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly status: number;
  readonly address?: string | undefined;
}

/** Selects entries. An absent member matches any value. */
export interface AuditFilter {
  /** Unix milliseconds, `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly actor?: string;
  readonly action?: string;
  /** Only entries that follow this one in the list. */
  readonly after?: Pick<AuditTable, 'at' | 'id'>;
  readonly limit: number;
}

/** The changes that operators have made, in the database. */
export interface AuditLog {
  /** Resolves when the entry is written. A database that fails is logged: the log line of the call remains. */
  record(entry: AuditEntry): Promise<void>;
  /** Newest first. @throws GatewayError `KOINE_STORE_FAILED` */
  list(filter: AuditFilter): Promise<readonly AuditTable[]>;
}

const PRUNE_EVERY_MS = 3_600_000;

/** Calls mask their secrets themselves. What looks like a key is masked here as well. */
const writeState = (state: unknown): string | null => (state === undefined ? null : redactKeys(JSON.stringify(state)));

/** @param retentionMs how long entries are kept; older ones are deleted when one is written, at most once an hour */
export function createAuditLog(
  database: Database,
  { now }: Pick<Clock, 'now'>,
  log: Pick<Log, 'error'>,
  retentionMs: number,
): AuditLog {
  let prunedAt = -Infinity;
  const prune = async (): Promise<void> => {
    if (now() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now();
    await database
      .deleteFrom('audit')
      .where('at', '<', prunedAt - retentionMs)
      .execute();
  };
  return {
    record: async ({ before, after, target, address, ...entry }) => {
      const written = { before: writeState(before), after: writeState(after) };
      const row = { id: randomUUID(), ...entry, ...written, target: target ?? null, address: address ?? null };
      try {
        await database.insertInto('audit').values(row).execute();
        await prune();
      } catch (error) {
        log.error({ error, action: entry.action }, 'an entry of the audit log could not be written');
      }
    },
    list: ({ from, to, actor, action, after, limit }) => {
      let query = database.selectFrom('audit').selectAll();
      if (actor !== undefined) query = query.where('actor', '=', actor);
      if (action !== undefined) query = query.where('action', '=', action);
      if (from !== undefined) query = query.where('at', '>=', from);
      if (to !== undefined) query = query.where('at', '<', to);
      if (after !== undefined)
        query = query.where(({ eb, and, or }) =>
          or([eb('at', '<', after.at), and([eb('at', '=', after.at), eb('id', '<', after.id)])]),
        );
      return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    },
  };
}
