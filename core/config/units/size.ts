/** A number of bytes in the configuration file. */
export const SIZE_PATTERN = '^(?=.*[1-9])[0-9]+(\\.[0-9]+)?(b|kb|mb|gb)$';

const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Converts `32mb` to bytes; 1 MB is 1,048,576 bytes. The text must match {@link SIZE_PATTERN}. */
export function parseSize(text: string): number {
  const [, amount, unit = 'b'] = /^([\d.]+)(\w+)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (BYTES[unit] ?? 1));
}

/** Formats whole bytes in the largest unit that is exact: `32mb`, `1536b`. */
export function formatSize(bytes: number): string {
  const [unit, size] = Object.entries(BYTES).findLast(([, length]) => bytes % length === 0) ?? ['b', 1];
  return `${bytes / size}${unit}`;
}
