const MASK = '***';
/** From this length on a secret is one wherever it stands; a shorter one could be a piece of a word. */
const LONG = 8;

/** Masks these secrets in a text. What that takes does not grow with their number: a configuration may have a hundred thousand keys. */
export function createMaskTexts(secrets: ReadonlySet<string>): (text: string) => string {
  // The longest first: one may be the beginning of another.
  const long = [...secrets].filter(({ length }) => length >= LONG).sort((one, other) => other.length - one.length);
  const byStart = Map.groupBy(long, (secret) => secret.slice(0, LONG));
  return (text) => {
    if (secrets.has(text)) return MASK;
    let masked = '';
    let from = 0;
    let at = 0;
    while (at + LONG <= text.length) {
      const start = at;
      const found = byStart.get(text.slice(start, start + LONG))?.find((secret) => text.startsWith(secret, start));
      if (found === undefined) at += 1;
      else {
        masked += text.slice(from, at) + MASK;
        at += found.length;
        from = at;
      }
    }
    return masked + text.slice(from);
  };
}
