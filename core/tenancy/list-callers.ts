import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Caller } from '../contracts/caller.ts';
import type { CallerFilter, Clock } from '../contracts/services.ts';
import type { KeyTable } from './key-table.ts';
import { callerOf } from './rights.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}

const listConfigured = ({ organizations, clock }: Parts, filter: CallerFilter): readonly Caller[] => {
  const matches = (wanted: string | undefined, name: string): boolean => wanted === undefined || wanted === name;
  const callers: Caller[] = [];
  for (const [organization, { projects }] of Object.entries(organizations)) {
    if (!matches(filter.organization, organization)) continue;
    for (const [project, { keys }] of Object.entries(projects)) {
      if (!matches(filter.project, project)) continue;
      for (const [key, { models, limits, disabled, expires = Infinity }] of Object.entries(keys)) {
        if (callers.length === filter.limit) return callers;
        if (!disabled && expires > clock.now())
          callers.push(omitUndefined({ key, project, organization, models, limits }));
      }
    }
  }
  return callers;
};

/**
 * The callers with a valid key: those of the configuration, then those of the database, oldest first.
 * @throws GatewayError `KOINE_STORE_FAILED`
 */
export async function listCallers(parts: Parts, filter: CallerFilter): Promise<readonly Caller[]> {
  const configured = listConfigured(parts, filter);
  const left = filter.limit - configured.length;
  if (left === 0) return configured;
  const stored = await parts.table.list(filter, left);
  const now = parts.clock.now();
  return [
    ...configured,
    ...stored.filter(({ disabled, expiresAt = Infinity }) => !disabled && expiresAt > now).map(callerOf),
  ];
}
