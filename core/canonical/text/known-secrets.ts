import { escapeRegExp } from './escape-reg-exp.ts';

/**
 * Secrets of this length are redacted anywhere in a text. A shorter one could occur within a word, so it has to stand
 * alone.
 */
const LONG = 8;
const SHORTEST = 4;
/** `none`, `ollama`: placeholders for a missing key, and ordinary words. */
const WORD = /^[a-z]+$/i;
const MASK = '[redacted]';

/** Long secrets that begin alike: those of one vendor, or 10,000 keys that a company has named itself. */
interface Alike {
  readonly secrets: Set<string>;
  /** Their lengths, the longest first, because one can be a prefix of another. */
  lengths: readonly number[];
}

/** The long secrets by their first eight characters. */
const long = new Map<string, Alike>();
/** The first two characters of each long secret: most positions of a text need no lookup. */
const begins = new Uint8Array(65_536);
const short = new Set<string>();
let anyShort: RegExp | undefined;

/** Two characters as a number below 65,536. */
export const pairAt = (text: string, index: number): number =>
  ((text.charCodeAt(index) & 255) << 8) | (text.charCodeAt(index + 1) & 255);

const addLong = (secret: string): void => {
  const start = secret.slice(0, LONG);
  const alike = long.get(start) ?? { secrets: new Set(), lengths: [] };
  long.set(start, alike);
  alike.secrets.add(secret);
  const { length } = secret;
  if (!alike.lengths.includes(length)) alike.lengths = [...alike.lengths, length].sort((one, other) => other - one);
  begins[pairAt(secret, 0)] = 1;
};

/** The form of a secret in the JSON of log lines. */
const asInJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);

let known = 0;
/** Increases when secrets have been added. Caches of redacted texts compare it. */
export const countKnown = (): number => known;

/** Secrets that are renewed while the gateway runs, the one loaded longest ago first. */
const renewed = new Set<string>();
/** With a hundred keys that change every five minutes, each is redacted for fifty minutes after its end. */
const MAX_RENEWED = 1_000;

/** Adds secrets of any form. Called once per configuration; secrets are never removed. */
export function knowSecrets(secrets: Iterable<string>): void {
  known += 1;
  const before = short.size;
  const given = [...secrets];
  for (const secret of given) renewed.delete(secret);
  for (const secret of given.flatMap((each) => [each, asInJson(each)])) {
    if (secret.length >= LONG) addLong(secret);
    else if (secret.length >= SHORTEST && !WORD.test(secret)) short.add(secret);
  }
  if (short.size > before) compileShort();
}

const compileShort = (): void => {
  anyShort =
    short.size === 0 ? undefined : new RegExp(`(?<!\\w)(?:${[...short].map(escapeRegExp).join('|')})(?!\\w)`, 'g');
};

const removeSecret = (secret: string): void => {
  if (short.delete(secret)) compileShort();
  const start = secret.slice(0, LONG);
  const alike = long.get(start);
  if (alike?.secrets.delete(secret) === true && alike.secrets.size === 0) long.delete(start);
};

/** Adds a secret that has been renewed. The last 1,000 are known, so that years of renewals do not fill the memory. */
export function knowRenewed(secret: string): void {
  if (secret.length < SHORTEST) return;
  const isKnown = long.get(secret.slice(0, LONG))?.secrets.has(secret) === true || short.has(secret);
  if (isKnown && !renewed.has(secret)) return;
  if (!isKnown) knowSecrets([secret]);
  setNewest(secret);
}

const setNewest = (secret: string): void => {
  renewed.delete(secret);
  renewed.add(secret);
  if (renewed.size <= MAX_RENEWED) return;
  const [oldest = ''] = renewed;
  renewed.delete(oldest);
  removeSecret(oldest);
  removeSecret(asInJson(oldest));
};

const secretAt = (text: string, index: number): string | undefined => {
  const alike = long.get(text.slice(index, index + LONG));
  if (alike === undefined) return undefined;
  for (const length of alike.lengths) {
    const found = text.slice(index, index + length);
    if (alike.secrets.has(found)) return found;
  }
  return undefined;
};

const replaceLong = (text: string): string => {
  let shown = '';
  let from = 0;
  const last = text.length - LONG;
  for (let index = 0; index <= last; index += 1) {
    if (begins[pairAt(text, index)] === 0) continue;
    const secret = secretAt(text, index);
    if (secret === undefined) continue;
    shown += text.slice(from, index) + MASK;
    from = index + secret.length;
    index = from - 1;
  }
  return from === 0 ? text : shown + text.slice(from);
};

/** Redacts the known secrets of this process, in one pass. A text without any is returned unchanged. */
export function redactKnown(text: string): string {
  if (text.length < SHORTEST) return text;
  const shown = long.size === 0 ? text : replaceLong(text);
  return anyShort === undefined ? shown : shown.replaceAll(anyShort, MASK);
}
