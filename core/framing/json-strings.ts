const QUOTE = 34;
const BACKSLASH = 92;
const UNDERSCORE = 95;

/** The first bytes are scanned in a loop: calling indexOf for each escaped quote would take longer. */
const SHORT = 64;

/**
 * The offset of the closing quote of the string opened at `open`, or the length of the text. Long strings are searched
 * with indexOf.
 */
export function findStringEnd(bytes: Buffer, open: number): number {
  let at = open + 1;
  for (;;) {
    const near = Math.min(at + SHORT, bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      at += byte === BACKSLASH ? 2 : 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1 || at >= bytes.length) return bytes.length;
    let before = quote;
    while (before > at && bytes[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** The string between two quotes with its escapes resolved; unchanged if it has an invalid escape. */
export function readString(bytes: Buffer, open: number, end: number): string {
  const text = bytes.toString('utf8', open + 1, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

const PROTO = '__proto__';
const FULLY_ESCAPED = PROTO.length * '\\u005f'.length;

/** Whether this is the key `__proto__`, escaped or not. For nearly every key the length or the first byte decides. */
export function isProtoKey(bytes: Buffer, open: number, end: number): boolean {
  const length = end - open - 1;
  if (length < PROTO.length || length > FULLY_ESCAPED) return false;
  const first = bytes[open + 1];
  return (first === UNDERSCORE || first === BACKSLASH) && readString(bytes, open, end) === PROTO;
}
