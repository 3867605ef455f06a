import type { ListedKey } from '../../tenancy/listed-key.ts';
import { SOON_MS, type KeyState } from '../../tenancy/key-page.ts';
import { tabulate } from '../align-columns.ts';
import { formatLimit } from './limit-notation.ts';

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
export const formatKeys = (keys: readonly ListedKey[], now: number): string =>
  tabulate(
    {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      PROJECT: ({ organization, project }) => `${organization}/${project}`,
      OWNER: ({ owner }) => owner ?? '-',
      MODELS: ({ models }) => (models.length === 0 ? 'all' : models.join(',')),
      LIMITS: limitsOf,
      STATE: (key) => stateOf(key, now),
      EXPIRES: ({ expiresAt }) => expiresAt ?? 'never',
      ORIGIN: ({ origin }) => origin,
      TAGS: ({ tags }) => pairsOf(tags),
      METADATA: ({ metadata }) => pairsOf(metadata),
    },
    keys,
  );
