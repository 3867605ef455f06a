import { pairAt, redactKnown } from './known-secrets.ts';

const MASK = '[redacted]';
/**
 * Prefixes of keys and the pattern of the remainder: keys of this gateway and of vendors, tokens after their scheme,
 * signed tokens.
 */
const forms: readonly (readonly [beginnings: string, rest: string])[] = [
  ['koine', '_[0-9a-z]{8}_[0-9a-z]{6,}'],
  ['sk', '[-_][\\w*-]{4,}'],
  ['pk|rk|gsk|xai|pplx|nvapi|csk|tgp', '[-_][\\w*-]{8,}'],
  ['hf|r8|fw|ghp|ghs|glpat', '[-_][\\w*-]{16,}'],
  ['AIza', '[\\w-]{10,}'],
  ['AKIA|ASIA', '[A-Z0-9]{12,}'],
  ['ya29', '\\.[\\w.-]{10,}'],
  ['eyJ', '[\\w-]{8,}\\.[\\w-]{8,}[\\w.-]*'],
  ['Bearer', '\\s+[\\w.~+/=*-]{8,}'],
];
/** After a letter or digit the match is part of a word (`task-force`). */
const KEYS = new RegExp(
  `(?<![A-Za-z0-9])(?:${forms.map(([beginnings, rest]) => `(?:${beginnings})${rest}`).join('|')})`,
  'gi',
);
/**
 * The gateway's account at a vendor. Names of projects and teams look the same, so only vendor messages are searched.
 */
const ACCOUNTS = /\b(?:org|proj)[-_][\w*-]{8,}|\bBearer\s+\S+/gi;

/** The first two characters of each prefix. A text without any, like most names, costs a scan and no pattern. */
const begins = new Uint8Array(65_536);
for (const beginning of forms.flatMap(([beginnings]) => beginnings.split('|'))) {
  const [first = '', second = ''] = beginning;
  for (const one of [first.toLowerCase(), first.toUpperCase()]) {
    for (const other of [second.toLowerCase(), second.toUpperCase()]) begins[pairAt(one + other, 0)] = 1;
  }
}
const isLetterOrDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const mayHoldKey = (text: string): boolean => {
  for (let index = 0; index < text.length - 1; index += 1) {
    if (begins[pairAt(text, index)] === 1 && (index === 0 || !isLetterOrDigit(text.charCodeAt(index - 1)))) return true;
  }
  return false;
};

/** Redacts keys and the known secrets of this process. */
export function redactKeys(text: string): string {
  const shown = redactKnown(text);
  return mayHoldKey(shown) ? shown.replaceAll(KEYS, MASK) : shown;
}

/** Texts of clients are cut here first: no header is longer. */
const MAX_READ = 16_384;
/**
 * The beginning of a client's text, for logs and messages. Redacted before it is cut, because half a key would not
 * match.
 */
export const excerpt = (text: string, length: number): string => redactKeys(text.slice(0, MAX_READ)).slice(0, length);

/** A segment that could be a key. The segments of known paths are shorter. */
const LONG_SEGMENT = /[^/:]{25,}/g;
/** Redacts an unknown path, which can contain a key of any form. */
export const redactPath = (path: string): string => path.replaceAll(LONG_SEGMENT, MASK);

/**
 * Also redacts account names, for vendor messages: they repeat keys, or parts of them, which must not reach a client, a
 * log or a fixture.
 */
export const redactSecrets = (text: string): string => redactKeys(text).replaceAll(ACCOUNTS, MASK);
