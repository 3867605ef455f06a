import type { ListedKey } from '../../tenancy/listed-key.ts';
import { SOON_MS, type KeyState } from '../../tenancy/key-page.ts';
import { alignColumns } from '../align-columns.ts';
import { formatLimit } from './limit-notation.ts';

const columns = [
  'ID',
  'NAME',
  'PROJECT',
  'OWNER',
  'MODELS',
  'LIMITS',
  'STATE',
  'EXPIRES',
  'ORIGIN',
  'TAGS',
  'METADATA',
] as const;

/** Of the states that a key has, the one that says most. */
const stateOf = ({ disabled, revoked, expiresAt }: ListedKey, now: number): KeyState => {
  if (revoked === true) return 'revoked';
  const left = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  if (disabled) return 'disabled';
  return left < SOON_MS ? 'expiring' : 'active';
};

/** A key without limits of its own has those of its project or organization. */
const INHERITED = 'inherited';
const limitsOf = ({ limits }: ListedKey): string =>
  limits === undefined ? INHERITED : limits.length === 0 ? 'none' : limits.map(formatLimit).join(' ');

/** Longest text of a note in the table; `--format json` has all of it. */
const MAX_LENGTH = 40;
const pairsOf = (texts: Readonly<Record<string, string>> = {}): string =>
  Object.entries(texts)
    .map(([name, text]) => `${name}=${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text}`)
    .join(' ') || '-';

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
    pairsOf(key.tags),
    pairsOf(key.metadata),
  ]);
  return alignColumns(columns, rows);
}
