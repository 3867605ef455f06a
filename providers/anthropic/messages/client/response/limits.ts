import type { Headers, LimitFigure, LimitFigures } from '../../../../../core/api/index.ts';

const units: readonly (readonly [unit: keyof LimitFigures, name: string])[] = [
  ['requests', 'requests'],
  ['tokens', 'tokens'],
  ['inputTokens', 'input-tokens'],
  ['outputTokens', 'output-tokens'],
];

/** RFC 3339, rounded up to whole seconds. */
const formatInstant = (at: number): string => new Date(Math.ceil(at / 1_000) * 1_000).toISOString().replace('.000', '');

const encodeFigure = (
  name: string,
  { limit, remaining, resetAt }: LimitFigure,
): readonly (readonly [string, string])[] => [
  [`anthropic-ratelimit-${name}-limit`, String(limit)],
  [`anthropic-ratelimit-${name}-remaining`, String(Math.max(0, remaining))],
  ...(resetAt === undefined ? [] : [[`anthropic-ratelimit-${name}-reset`, formatInstant(resetAt)] as const]),
];

/**
 * Limit and remaining amount, and the time of the reset if the limiter provides it: a codec has no clock.
 * https://platform.claude.com/docs/en/api/rate-limits#response-headers
 */
export const encodeLimits = (figures: LimitFigures): Headers =>
  Object.fromEntries(
    units.flatMap(([unit, name]) => {
      const figure = figures[unit];
      return figure === undefined ? [] : encodeFigure(name, figure);
    }),
  );
