const SPACE = 0x20;
const DASH = 0x2d;
const ZERO = 0x30;
/** Digits of the shortest card number, characters of the shortest account. */
const SHORTEST_CARD = 13;
const SHORTEST_IBAN = 15;

const isSeparator = (code: number): boolean => code === SPACE || code === DASH;

/**
 * The longest beginning that is a card number and ends before a separator or with the text, since another number can
 * follow. The text is read once: the sums of check digits for both parities of the last digit are kept.
 * @returns its length; 0: there is none
 */
export function longestCard(text: string): number {
  let [doubled, plain, digits, longest] = [0, 0, 0, 0];
  let areSame = true;
  let first: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSeparator(code)) continue;
    const digit = code - ZERO;
    first ??= digit;
    areSame &&= digit === first;
    const twice = digit * 2;
    // The last digit counts once, the one before it twice: a further digit exchanges the two sums.
    [doubled, plain] = [plain + (twice > 9 ? twice - 9 : twice), doubled + digit];
    digits += 1;
    const isEnd = at + 1 === text.length || isSeparator(text.charCodeAt(at + 1));
    if (isEnd && digits >= SHORTEST_CARD && !areSame && plain % 10 === 0) longest = at + 1;
  }
  return longest;
}

/** The remainder modulo 97 of a number with one more character: a digit, or a letter as two digits. */
const append = (remainder: number, code: number): number =>
  code < 0x41 ? (remainder * 10 + code - ZERO) % 97 : (remainder * 100 + code - 0x41 + 10) % 97;

/**
 * The longest beginning that is an account number and ends before a space or with the text, since a word can follow.
 * @returns its length; 0: there is none
 */
export function longestIban(text: string): number {
  let [remainder, characters, longest] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) continue;
    characters += 1;
    // Country and check digits are at the start of the text without a space, and count at the end of the number.
    if (characters > 4) remainder = append(remainder, code);
    const isEnd = at + 1 === text.length || text.charCodeAt(at + 1) === SPACE;
    if (isEnd && characters >= SHORTEST_IBAN && checkIban(remainder, text)) longest = at + 1;
  }
  return longest;
}

function checkIban(remainder: number, text: string): boolean {
  let all = remainder;
  for (let at = 0; at < 4; at += 1) all = append(all, text.charCodeAt(at));
  return all === 1;
}
