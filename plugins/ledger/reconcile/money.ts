/** Digits of an amount of money after the point. Vendors write doubles, whose last digits count when many are added. */
const DIGITS = 18;
const DIGITS_OF_NANO = 9;
const MAX_EXPONENT = 40;

const NUMBER = /^(-?\$?|\$-)(\d+|\d{1,3}(?:,\d{3})+|)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Half of the last digit is rounded away from zero. */
const divide = (value: bigint, by: bigint): bigint => {
  const half = value < 0n ? -by / 2n : by / 2n;
  return (value + half) / by;
};

/**
 * Reads a decimal number exactly, multiplied by ten to the power of `digits`; further digits are rounded. A comma is
 * only a separator of thousands: `1,5` is no number.
 */
export function readDecimal(text: string, digits: number): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole + fraction === '' || Math.abs(Number(exponent)) > MAX_EXPONENT) return undefined;
  const value = BigInt(whole.replaceAll(',', '') + fraction) * (sign.includes('-') ? -1n : 1n);
  const shift = digits + Number(exponent) - fraction.length;
  return shift >= 0 ? value * 10n ** BigInt(shift) : divide(value, 10n ** BigInt(-shift));
}

/** An amount of dollars, in units of 10⁻¹⁸ dollars. */
export const readDollars = (text: string): bigint | undefined => readDecimal(text, DIGITS);
/** An amount of cents, in the same units. */
export const readCents = (text: string): bigint | undefined => readDecimal(text, DIGITS - 2);

/** Converts an amount of `readDollars`. */
export const toNanoDollars = (money: bigint): bigint => divide(money, 10n ** BigInt(DIGITS - DIGITS_OF_NANO));

/**
 * Converts an amount of another currency to dollars.
 * @param rate units of that currency for a dollar
 */
export function exchangeToDollars(money: bigint, rate: bigint): bigint {
  return divide(money * 10n ** BigInt(DIGITS), rate);
}
