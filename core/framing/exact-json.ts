import '../canonical/raw-number.ts';

/** Every integer of fewer digits is exact. Most texts do not have so many in a row at all. */
const LONG_RUN = /\d{16}/;
/** At the beginning of a number: fractions have long rows too. */
const LONG_NUMBER = /[:[,\s-]\d{16}/;
const hasLongNumber = (text: string): boolean => LONG_RUN.test(text) && (LONG_NUMBER.test(text) || /^\d/.test(text));
const INTEGER = /^-?\d+$/;

const keepDigits = (_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(source) ? JSON.rawJSON(source) : value;

/**
 * JSON.parse, but integers beyond 2^53 (ids of databases and chats) keep their digits, as RawNumber. Several times slower: for texts that
 * hold such a number.
 * @throws SyntaxError
 */
export const parseDigits = (text: string): unknown => JSON.parse(text, keepDigits);

/** The value of a JSON text with all its digits, or `undefined` when it is not one. A text without long numbers costs a look at it. */
export const parseExactJson = (text: string): unknown => {
  try {
    return hasLongNumber(text) ? parseDigits(text) : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};
