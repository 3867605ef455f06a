/** A number of bytes as the file writes it. */
export const SIZE_PATTERN = '^(?=.*[1-9])[0-9]+(\\.[0-9]+)?(b|kb|mb|gb)$';

const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** `32mb` as bytes; 1 MB = 1,048,576 bytes. The text has passed {@link SIZE_PATTERN}. */
export function parseSize(text: string): number {
  const [, amount, unit = 'b'] = /^([\d.]+)(\w+)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (BYTES[unit] ?? 1));
}

/** Whole bytes as the file writes them, in the largest unit that says them exactly: `32mb`, `1536b`. */
export function writeSize(bytes: number): string {
  const [unit, size] = Object.entries(BYTES).findLast(([, length]) => bytes % length === 0) ?? ['b', 1];
  return `${bytes / size}${unit}`;
}
