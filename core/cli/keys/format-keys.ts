import type { ListedKey } from '../../tenancy/listed-key.ts';
import { alignColumns } from '../align-columns.ts';
import { formatLimit } from './limit-notation.ts';

const columns = ['ID', 'NAME', 'PROJECT', 'OWNER', 'MODELS', 'LIMITS', 'STATE', 'EXPIRES', 'ORIGIN'] as const;

const stateOf = ({ disabled, revoked, expiresAt }: ListedKey, now: number): string => {
  if (disabled) return revoked === true ? 'revoked' : 'disabled';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'good';
};

/** A key without limits of its own has those of its project or organization. */
const INHERITED = 'inherited';
const limitsOf = ({ limits }: ListedKey): string =>
  limits === undefined ? INHERITED : limits.length === 0 ? 'none' : limits.map(formatLimit).join(' ');

/** Keys as a text table. @param now unix milliseconds */
export function formatKeys(keys: readonly ListedKey[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.organization}/${key.project}`,
    key.owner ?? '-',
    key.models.length === 0 ? 'all' : key.models.join(','),
    limitsOf(key),
    stateOf(key, now),
    key.expiresAt ?? 'never',
    key.origin,
  ]);
  return alignColumns(columns, rows);
}
