import { GatewayError } from '../../errors/gateway-error.ts';

/** A length of time as the file writes it. */
export const DURATION_PATTERN = '^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$';

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s` as milliseconds. The text has passed {@link DURATION_PATTERN}. */
export function parseDuration(text: string): number {
  const [, amount, unit = 'ms'] = /^([\d.]+)(\w+)$/.exec(text) ?? [];
  return Math.round(Number(amount) * (MILLISECONDS[unit] ?? 1));
}

export const isDuration = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(DURATION_PATTERN).test(text);

/**
 * The same for text that nothing has checked.
 * @throws GatewayError `KOINE_CONFIG_INVALID` where it is no length of time
 */
export function readDuration(text: string): number {
  if (isDuration(text)) return parseDuration(text);
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `${JSON.stringify(text)} is not a length of time; write a number and ms, s, m, h or d, like 250ms, 30s or 5m.`,
  );
}

const LENGTHS: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
];

/** Whole milliseconds as the file writes them, in the largest unit that says them exactly: `1m`, `90s`. */
export function writeDuration(ms: number): string {
  const [length, unit] = LENGTHS.find(([milliseconds]) => ms % milliseconds === 0) ?? [1, 'ms'];
  return `${ms / length}${unit}`;
}
