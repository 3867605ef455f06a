import { countKnown } from './known-secrets.ts';

/** Maximum number of cached texts: names of keys, models, providers and client software. */
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
