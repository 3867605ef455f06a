const NANO = 1_000_000_000n;

/** Formats nano-dollars as a decimal number of dollars, exactly and without an exponent: `0.000018`. */
export function writeDollars(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const fraction = String(size % NANO)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${size / NANO}${fraction === '' ? '' : `.${fraction}`}`;
}
