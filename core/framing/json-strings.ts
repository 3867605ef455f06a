const QUOTE = 34;
const BACKSLASH = 92;
const UNDERSCORE = 95;

/** Below this length a loop is faster than a call of indexOf. */
const SHORT = 24;

/** The offset of the quote that closes the string opened at `open`; a long string is jumped over, not walked. */
export const findStringEnd = (bytes: Buffer, open: number): number => {
  const near = Math.min(open + SHORT, bytes.length);
  for (let at = open + 1; at < near; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  let at = open;
  while ((at = bytes.indexOf(QUOTE, at + 1)) !== -1) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return bytes.length;
};

/** The string between two quotes, escapes resolved. */
export const readString = (bytes: Buffer, open: number, end: number): string => {
  const text = bytes.toString('utf8', open + 1, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
};

const PROTO = '__proto__';
const FULLY_ESCAPED = PROTO.length * '\\u005f'.length;

/** Is this the key `__proto__`, written in whatever way? For nearly every key the length or the first byte says no. */
export const isProtoKey = (bytes: Buffer, open: number, end: number): boolean => {
  const length = end - open - 1;
  if (length < PROTO.length || length > FULLY_ESCAPED) return false;
  const first = bytes[open + 1];
  return (first === UNDERSCORE || first === BACKSLASH) && readString(bytes, open, end) === PROTO;
};
