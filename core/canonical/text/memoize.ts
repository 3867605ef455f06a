import { countKnown } from './known-secrets.ts';

/** Maximum number of cached texts: names of keys, models, providers and client software, and parts of log lines. */
const MAX_ENTRIES = 2_000;
/** Longer texts are rare, and not cached. */
const MAX_LENGTH = 512;

/**
 * Memoizes a redacting function for texts that recur. The cache is cleared when a new secret becomes known, and when it
 * is full.
 */
export function memoize(redact: (text: string) => string): (text: string) => string {
  const cache = new Map<string, string>();
  let known = countKnown();
  return (text) => {
    if (known !== countKnown()) {
      known = countKnown();
      cache.clear();
    }
    const found = cache.get(text);
    if (found !== undefined) return found;
    const redacted = redact(text);
    if (text.length > MAX_LENGTH) return redacted;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(text, redacted);
    return redacted;
  };
}

interface Written<Facts> {
  readonly facts: Facts;
  readonly text: string;
}

/**
 * Caches the last text of each name, for texts that mostly stay as they are. The cache is cleared as that of `memoize`.
 * @param write of the facts, the first of which is the name; the others are compared with those of the last text. A
 *   fact that can be long has to be in the text as a whole: a long text is not cached
 */
export function memoizeLast<Facts extends readonly unknown[]>(
  write: (...facts: Facts) => string,
): (...facts: Facts) => string {
  const cache = new Map<unknown, Written<Facts>>();
  let known = countKnown();
  return (...facts) => {
    if (known !== countKnown()) {
      known = countKnown();
      cache.clear();
    }
    const last = cache.get(facts[0]);
    if (last !== undefined) {
      let at = 1;
      while (at < facts.length && facts[at] === last.facts[at]) at += 1;
      if (at === facts.length) return last.text;
    }
    const text = write(...facts);
    if (text.length > 2 * MAX_LENGTH) return text;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(facts[0], { facts, text });
    return text;
  };
}
