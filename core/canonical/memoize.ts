import { countKnown } from './text/known-secrets.ts';

/** Texts that are remembered at a time: names of keys, models and providers, and what clients call themselves. */
const KEPT = 2_000;
/** A longer one is rare, and not worth its memory. */
const LONGEST = 512;

/**
 * Remembers what a function that redacts makes of texts that come again and again. All is forgotten when a new secret
 * becomes known, and when there is too much of it.
 */
export function memoize(redact: (text: string) => string): (text: string) => string {
  const remembered = new Map<string, string>();
  let known = countKnown();
  return (text) => {
    if (known !== countKnown()) {
      known = countKnown();
      remembered.clear();
    }
    const found = remembered.get(text);
    if (found !== undefined) return found;
    const redacted = redact(text);
    if (text.length > LONGEST) return redacted;
    if (remembered.size >= KEPT) remembered.clear();
    remembered.set(text, redacted);
    return redacted;
  };
}
