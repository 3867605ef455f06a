/** Control characters, tabs, other line breaks and byte order marks. */
export const UNUSUAL = /[^\n\x20-\x7e\u00a1-\u2027\u202a-\ufefe\uff00-\uffff]/;

const QUOTED_NAME = String.raw`"([^"\\\n]{1,200})"|'([^'\n]{1,200})'`;
const NAME = String.raw`[\w/][\w./+@*~$-]*`;
/** A key and its colon. The pattern is sticky: it matches at `lastIndex`. */
export const KEY = new RegExp(String.raw`(?:${QUOTED_NAME}|(${NAME}(?::[\w./+@*~$-]+)*)):(?=[ \n]|$)`, 'y');
export const KEY_IN_BRACKETS = new RegExp(`(?:${QUOTED_NAME}|(${NAME})): +`, 'y');

/** The plain scalars that are no text in the core schema of YAML 1.2. */
const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
]);
const LONGEST_WORD = 5;

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Longer numbers are rounded. */
const MOST_DIGITS = 15;
/** Every notation that may be a number. */
const NUMBER = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.inf|\.nan)$/i;
/** The characters with which numbers begin are not above it. */
const NINE = 0x39;

/** The value of a plain scalar. Undefined for numbers in other notations than the usual one. */
export function readPlain(text: string): string | number | boolean | null | undefined {
  if (text.length <= LONGEST_WORD) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  if (text.charCodeAt(0) > NINE) return text;
  if (text.length <= MOST_DIGITS && DECIMAL.test(text)) return Number(text);
  return NUMBER.test(text) ? undefined : text;
}

const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/bfnrt])*"/y;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** A quoted scalar in one line, as it is written. */
export const matchQuoted = (text: string, at: number): string | undefined =>
  matchAt(text[at] === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED, text, at);

/** The value of {@link matchQuoted}. The escapes that it accepts are those of JSON. */
export function readQuoted(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1).replaceAll("''", "'");
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}

/** In a list or mapping in brackets. A colon belongs to the text if no space and no bracket follows. */
const PLAIN_IN_BRACKETS = /(?:-(?=[\w.])|[\w/.$~+])(?:[^\n,[\]{}:#"'`]|:(?=[^\s,[\]{}"'#`]))*/y;

/** A plain scalar in brackets, as it is written, with spaces at its end. */
export const matchPlainInBrackets = (text: string, at: number): string | undefined =>
  matchAt(PLAIN_IN_BRACKETS, text, at);

/** Characters with which no plain scalar begins. Some of `?:` could. */
const NOT_FIRST: ReadonlySet<string> = new Set(',[]{}#&*!|>\'"%@`?:');

/** A plain scalar outside brackets, as it is written, with spaces at its end. */
export function matchPlain(text: string, at: number): string | undefined {
  const first = text[at];
  if (first === undefined || NOT_FIRST.has(first)) return undefined;
  const next = text[at + 1] ?? '\n';
  if (first === '-' && (next === ' ' || next === '\n')) return undefined;
  const end = text.indexOf('\n', at);
  const line = text.slice(at, end === -1 ? text.length : end);
  const comment = line.indexOf(' #');
  const written = comment === -1 ? line : line.slice(0, comment);
  return /:(?: |$)/.test(written) ? undefined : written;
}

/** Without spaces at the end. `trimEnd` would remove others, too. */
export function withoutSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

const SPACE = 0x20;
export const NEWLINE = 0x0a;
export const HASH = 0x23;
const DASH = 0x2d;

/** The offset of the next character that is no space. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

/** Whether an item of a list begins there. */
export function isDash(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== DASH) return false;
  const next = text.charCodeAt(at + 1);
  return at + 1 >= text.length || next === SPACE || next === NEWLINE;
}

/** Whether nothing or a comment follows the spaces after a key or dash. */
export function isEmpty(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === NEWLINE || code === HASH;
}
