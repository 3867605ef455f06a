/** 128 bits in hexadecimal digits. */
const SHORTEST = 32;
const FEWEST_KINDS = 8;
/** So much has to be left of a token without the words in it. */
const FEWEST_RANDOM = 24;
const WORDS = new RegExp(
  'admin|bearer|change|default|demo|dummy|example|gateway|iloveyou|koine|letmein|master|monkey|' +
    'operator|passwd|password|please|qwerty|root|sample|secret|super|test|token|user|welcome',
  'gi',
);

/** The unit that a text repeats: its shortest period, the last repetition may be cut. */
const periodOf = (text: string): number => {
  let period = 1;
  while (!text.startsWith(text.slice(period))) period += 1;
  return period;
};

/** Neighbours in the alphabet or among the digits, as in `abcd` and `4321`. */
const countSteps = (text: string): number => {
  let steps = 0;
  for (let index = 1; index < text.length; index += 1)
    steps += Math.abs(text.charCodeAt(index) - text.charCodeAt(index - 1)) <= 1 ? 1 : 0;
  return steps;
};

/**
 * Why a token can be guessed, as the end of a sentence about it; undefined where it looks random.
 * @param token as it is configured; nothing of it stands in the reason
 */
export function findWeakness(token: string): string | undefined {
  if (token.length < SHORTEST) return `has ${token.length} characters, and must have at least ${SHORTEST}`;
  if (periodOf(token) <= token.length / 2) return 'repeats itself';
  if (new Set(token).size < FEWEST_KINDS) return `has fewer than ${FEWEST_KINDS} different characters`;
  if (countSteps(token) > token.length / 2) return 'follows the alphabet or the digits';
  return token.replaceAll(WORDS, '').length < FEWEST_RANDOM ? 'consists of known words' : undefined;
}
