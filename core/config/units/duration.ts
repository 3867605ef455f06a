import { GatewayError } from '../../errors/gateway-error.ts';

/** A duration in the configuration file. */
export const DURATION_PATTERN = '^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$';

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts `30s` to milliseconds. The text must match {@link DURATION_PATTERN}. */
export function parseDuration(text: string): number {
  const [, amount, unit = 'ms'] = /^([\d.]+)(\w+)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (MILLISECONDS[unit] ?? 1));
}

const DURATION = new RegExp(DURATION_PATTERN);

export const isDuration = (text: unknown): text is string => typeof text === 'string' && DURATION.test(text);

/**
 * Converts a duration to milliseconds.
 * @throws GatewayError `KOINE_CONFIG_INVALID` when the text is not a duration
 */
export function readDuration(text: string): number {
  if (isDuration(text)) return parseDuration(text);
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `${JSON.stringify(text)} is not a duration. Write a number with ms, s, m, h or d, such as 250ms, 30s or 5m.`,
  );
}

const LENGTHS: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
];

/** Formats whole milliseconds in the largest unit that is exact: `1m`, `90s`. */
export function formatDuration(ms: number): string {
  const [length, unit] = LENGTHS.find(([milliseconds]) => ms % milliseconds === 0) ?? [1, 'ms'];
  return `${ms / length}${unit}`;
}
