import { hostname, userInfo } from 'node:os';
import type { AuditEntry } from '../../http/admin/audit/audit-entry.ts';
import { AuditLog } from '../../http/admin/audit/audit-log.ts';
import { systemClock } from '../../services/clock.ts';
import type { Database } from '../../services/database/database.ts';
import type { KeyRegister } from '../../tenancy/key-register.ts';

/** A container can run as a user without a name. */
const readUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};

const log = {
  error: ({ error }: Readonly<Record<string, unknown>>, text: string): void =>
    console.error(`warning: ${text}: ${error instanceof Error ? error.message : String(error)}`),
};

/** The methods that change nothing. */
const readOnly = (
  keys: KeyRegister,
): Pick<KeyRegister, 'named' | 'similar' | 'present' | 'page' | 'version' | 'get' | 'projects' | 'examine'> => ({
  named: (name, where) => keys.named(name, where),
  similar: (name, where) => keys.similar(name, where),
  present: (places) => keys.present(places),
  page: (query) => keys.page(query),
  version: () => keys.version(),
  get: (id) => keys.get(id),
  projects: () => keys.projects(),
  examine: (requests, placeOf) => keys.examine(requests, placeOf),
});

/** Records each change in the audit log of the admin API. @param retentionMs how long its entries are kept */
export function recordChanges(keys: KeyRegister, database: Database, retentionMs: number): KeyRegister {
  const audit = new AuditLog(database, systemClock, log, retentionMs);
  const actor = `cli:${readUser()}`;
  const record = (name: string, status: number, change: Pick<AuditEntry, 'target' | 'before' | 'after'>) =>
    audit.record({
      at: systemClock.now(),
      kind: 'cli',
      actor,
      role: 'admin',
      action: `koine keys ${name}`,
      status,
      address: hostname(),
      ...change,
    });
  return {
    ...readOnly(keys),
    create: async (request) => {
      const issued = await keys.create(request);
      await record('create', 201, { target: issued.key.id, after: issued.key });
      return issued;
    },
    createAll: async (requests, placeOf) => {
      const issued = await keys.createAll(requests, placeOf);
      const created = issued.map(({ key }) => key);
      await record('import', 201, { target: created.map(({ id }) => id).join(' '), after: created });
      return issued;
    },
    change: async (id, decide) => {
      const changed = await keys.change(id, decide);
      const { before, after } = changed;
      await record('edit', 200, { target: before.id, before, after });
      return changed;
    },
    rotate: async (id, overlapMs) => {
      const issued = await keys.rotate(id, overlapMs);
      const { before, after } = issued.replaced;
      await record('rotate', 201, { target: before.id, before, after });
      return issued;
    },
    revoke: async (id) => {
      const { before, after } = await keys.revoke(id);
      await record('revoke', 200, { target: before.id, before, after });
      return { before, after };
    },
  };
}
