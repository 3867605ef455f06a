const SHOWN = 5;

/** The first five texts, and how many more there are. A message need not name a thousand. */
export const listSome = (texts: readonly string[], separator = ', '): string =>
  texts.length <= SHOWN
    ? texts.join(separator)
    : `${texts.slice(0, SHOWN).join(separator)} and ${texts.length - SHOWN} more`;
