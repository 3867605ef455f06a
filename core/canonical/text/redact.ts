import { pairAt, redactKnown } from './known-secrets.ts';

const MASK = '[redacted]';
/** What keys begin with, and how they go on: those of this gateway, of vendors, tokens after their scheme, signed tokens. */
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
/** A letter or digit before a key makes it a piece of a word (`task-force`). */
const KEYS = new RegExp(
  `(?<![A-Za-z0-9])(?:${forms.map(([beginnings, rest]) => `(?:${beginnings})${rest}`).join('|')})`,
  'gi',
);
/** An account of the gateway at a vendor. Names of projects and teams look the same: looked for only in what vendors say. */
const ACCOUNTS = /\b(?:org|proj)[-_][\w*-]{8,}|\bBearer\s+\S+/gi;

/** Pairs of characters that a key begins with. A text without one, as most names are, costs a scan and no pattern. */
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

/** A client's words, or a line of the log, without keys and without the secrets of this process. */
export function redactKeys(text: string): string {
  const shown = redactKnown(text);
  return mayHoldKey(shown) ? shown.replaceAll(KEYS, MASK) : shown;
}

/** Longer texts of a client are not read further: no header is longer. */
const MOST_READ = 16_384;
/** The beginning of a client's text, for logs and messages. Redacted before it is cut: half a key would not be recognised. */
export const excerpt = (text: string, length: number): string => redactKeys(text.slice(0, MOST_READ)).slice(0, length);

/** Vendors repeat keys, or parts of them, in their messages; none may reach a client, a log or a fixture. */
export const redactSecrets = (text: string): string => redactKeys(text).replaceAll(ACCOUNTS, MASK);
