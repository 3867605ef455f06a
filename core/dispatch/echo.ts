const BACKSLASH = 0x5c;
/** The JSON escapes for white space: `\n`, `\r`, `\t`, `\b`, `\f`. */
const spaces: ReadonlySet<number> = new Set([...'nrtbf'].map((letter) => letter.charCodeAt(0)));

/** An ASCII letter in lower case or a digit; 0 for every other character. */
const plain = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? code : 0;
};

/** The failure function of Knuth, Morris and Pratt: how far to fall back in `pattern` at a mismatch. */
const fallbacksOf = (pattern: Uint8Array): readonly number[] => {
  const fallbacks = [0];
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = fallbacks[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    fallbacks.push(length);
  }
  return fallbacks;
};

/** The character of the escape at `at`, with its backslashes skipped, and the position after it. */
const readEscape = (text: Uint8Array, at: number): readonly [code: number, next: number] => {
  let place = at;
  while (text[place] === BACKSLASH) place += 1;
  const letter = text[place] ?? 0;
  if (letter !== 0x75) return spaces.has(letter) ? [0, place + 1] : [0, place];
  const digits = Buffer.from(text.subarray(place + 1, place + 5)).toString('latin1');
  return /^[0-9a-f]{4}$/i.test(digits) ? [Number.parseInt(digits, 16), place + 5] : [0, place];
};

/**
 * Whether a request contains a sentence. Compares only ASCII letters and digits, in one pass: quotes, white space, case
 * and JSON escapes, also of JSON within JSON, make no difference.
 */
export function isEchoed(sentence: string, request: Uint8Array): boolean {
  const pattern = Buffer.from(sentence)
    .map(plain)
    .filter((code) => code !== 0);
  const fallbacks = fallbacksOf(pattern);
  let found = 0;
  for (let at = 0; at < request.length && found < pattern.length;) {
    const [raw, next] = request[at] === BACKSLASH ? readEscape(request, at) : [request[at] ?? 0, at + 1];
    const code = plain(raw);
    at = next;
    if (code === 0) continue;
    while (found > 0 && pattern[found] !== code) found = fallbacks[found - 1] ?? 0;
    if (pattern[found] === code) found += 1;
  }
  return found === pattern.length;
}
