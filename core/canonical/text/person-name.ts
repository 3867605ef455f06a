/** Letters with marks that decompose to ASCII, and those of European languages that do not. */
const LATIN = /^[a-zæœøðþßłđħŧŋə]$/i;
/** Scripts with letters that look like Latin ones. */
const CYRILLIC = /^\p{Script=Cyrillic}$/u;
const GREEK = /^\p{Script=Greek}$/u;
const ARMENIAN = /^\p{Script=Armenian}$/u;
/** Scripts that do not look like Latin, each with those that are written together with it. */
const OTHERS = [
  /^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]$/u,
  /^[\p{Script_Extensions=Han}\p{Script_Extensions=Hangul}]$/u,
  /^[\p{Script_Extensions=Han}\p{Script_Extensions=Bopomofo}]$/u,
  ...[
    'Arabic',
    'Hebrew',
    'Georgian',
    'Ethiopic',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
  ].map((script) => new RegExp(`^\\p{Script_Extensions=${script}}$`, 'u')),
];
/** Cyrillic, Greek and Armenian letters that can be read as Latin ones (Unicode UTS 39, confusables). */
const LOOKS_LATIN = /^[авеѕіјкмнорстухԁһӏԛԝԍґгпшьѵзєαβγηικμνορτυχωϲϳაոսօհցզքւյպ]$/iu;

/** Letters, marks, digits, spaces, and the punctuation of names and addresses. No character that looks like a colon. */
const CHARACTERS = /^[\p{L}\p{M}0-9 .@_+'’()&,/#-]{1,128}$/u;
/** Actors that are not people, and what begins the name of a person without a better one. */
const RESERVED = ['token', 'loopback', 'scim', 'provider', 'cli', 'sub', 'koine', 'gateway'];

/** Characters that are read as others: capital I as l, 0 as o. */
const READ_AS: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '3': 'e', '5': 's', '7': 't' };
/** How a name is read at a glance: without marks, punctuation, and differences of similar characters. */
const glance = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}0-9]/gu, '')
    .replaceAll(/[013i57]/g, (found) => READ_AS[found] ?? found);
const reserved: ReadonlySet<string> = new Set(RESERVED.map(glance));

const isAll = (letters: readonly string[], pattern: RegExp): boolean => letters.every((letter) => pattern.test(letter));

/** Whether all letters are of one script, and not a word of another one that looks Latin. */
const isOneScript = (name: string): boolean => {
  const letters = name.match(/\p{L}/gu) ?? [];
  const bare = letters.map((letter) => letter.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  if (isAll(bare, LATIN)) return !/\p{M}/u.test(name);
  const similar = [CYRILLIC, GREEK, ARMENIAN].find((script) => isAll(bare, script));
  if (similar !== undefined) return !/\p{M}/u.test(name) && !isAll(bare, LOOKS_LATIN);
  return OTHERS.some((script) => isAll(letters, script));
};

/**
 * Reads the name of a person as it may be shown: in the form NFKC, without surrounding and repeated spaces. Another
 * person can still have it: only issuer and subject identify a person.
 * @returns undefined for a name that could be read as another one: of several scripts, of letters that look Latin, with
 * invisible characters or colons, or the name of an actor that is no person, in any spelling
 */
export function readPersonName(given: unknown): string | undefined {
  // A longer text is not worth normalizing.
  if (typeof given !== 'string' || given.length > 256) return undefined;
  const name = given.normalize('NFKC').replaceAll(/ +/g, ' ').trim();
  return CHARACTERS.test(name) && /[\p{L}0-9]/u.test(name) && isOneScript(name) && !reserved.has(glance(name))
    ? name
    : undefined;
}
