/** 128 bits in hexadecimal digits. */
const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;
/** How many characters of a token must be left when common words are removed. */
const MIN_RANDOM = 24;
const COMMON_WORDS = new RegExp(
  'admin|bearer|change|default|demo|dummy|example|gateway|iloveyou|koine|letmein|master|monkey|' +
    'operator|passwd|password|please|qwerty|root|sample|secret|super|test|token|user|welcome',
  'gi',
);

/** The length of the shortest text that, repeated, gives this one. The last repetition can be incomplete. */
const periodOf = (text: string): number => {
  let period = 1;
  while (!text.startsWith(text.slice(period))) period += 1;
  return period;
};

/** The number of neighbours with consecutive code points, as in `abcd` and `4321`. */
const countSteps = (text: string): number => {
  let steps = 0;
  for (let index = 1; index < text.length; index += 1)
    steps += Math.abs(text.charCodeAt(index) - text.charCodeAt(index - 1)) <= 1 ? 1 : 0;
  return steps;
};

/**
 * Why a token is easy to guess, as the predicate of a sentence; undefined when it looks random. The reason never quotes
 * the token.
 */
export function findWeakness(token: string): string | undefined {
  if (token.length < MIN_LENGTH) return `has ${token.length} characters, but needs at least ${MIN_LENGTH}`;
  if (periodOf(token) <= token.length / 2) return 'is a repeated pattern';
  if (new Set(token).size < MIN_DISTINCT) return `has fewer than ${MIN_DISTINCT} different characters`;
  if (countSteps(token) > token.length / 2) return 'is a sequence of letters or digits';
  return token.replaceAll(COMMON_WORDS, '').length < MIN_RANDOM ? 'consists of common words' : undefined;
}
