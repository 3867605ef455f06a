const BACKSLASH = 0x5c;
/** Escapes of one character that stand for white space in JSON: `\n`, `\r`, `\t`, `\b`, `\f`. */
const spaces: ReadonlySet<number> = new Set([...'nrtbf'].map((letter) => letter.charCodeAt(0)));

/** An ASCII letter in lower case, or a digit; 0 for every other character. */
const plain = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? code : 0;
};

/** How far to fall back in `words` when the character after each place does not match (Knuth, Morris, Pratt). */
const fallbacksOf = (words: Uint8Array): readonly number[] => {
  const fallbacks = [0];
  let length = 0;
  for (let at = 1; at < words.length; at += 1) {
    while (length > 0 && words[at] !== words[length]) length = fallbacks[length - 1] ?? 0;
    if (words[at] === words[length]) length += 1;
    fallbacks.push(length);
  }
  return fallbacks;
};

/** The character of the escape at `at`, its backslashes skipped, and where the text goes on. */
const readEscape = (text: Uint8Array, at: number): readonly [code: number, next: number] => {
  let place = at;
  while (text[place] === BACKSLASH) place += 1;
  const letter = text[place] ?? 0;
  if (letter !== 0x75) return spaces.has(letter) ? [0, place + 1] : [0, place];
  const digits = Buffer.from(text.subarray(place + 1, place + 5)).toString('latin1');
  return /^[0-9a-f]{4}$/i.test(digits) ? [Number.parseInt(digits, 16), place + 5] : [0, place];
};

/**
 * Does a request hold a sentence? Compared by ASCII letters and digits alone, in one pass: quotes, white space, case
 * and JSON escapes, also those of JSON within JSON, make no difference.
 */
export function isEchoed(sentence: string, request: Uint8Array): boolean {
  const words = Buffer.from(sentence)
    .map(plain)
    .filter((code) => code !== 0);
  const fallbacks = fallbacksOf(words);
  let found = 0;
  for (let at = 0; at < request.length && found < words.length;) {
    const [raw, next] = request[at] === BACKSLASH ? readEscape(request, at) : [request[at] ?? 0, at + 1];
    const code = plain(raw);
    at = next;
    if (code === 0) continue;
    while (found > 0 && words[found] !== code) found = fallbacks[found - 1] ?? 0;
    if (words[found] === code) found += 1;
  }
  return found === words.length;
}
