import type { Headers, LimitFigure, LimitFigures } from '../../../../core/index.ts';

const units: readonly (readonly [unit: keyof LimitFigures, name: string])[] = [
  ['requests', 'requests'],
  ['tokens', 'tokens'],
  ['inputTokens', 'input-tokens'],
  ['outputTokens', 'output-tokens'],
];

const encodeFigure = (name: string, { limit, remaining }: LimitFigure): readonly (readonly [string, string])[] => [
  [`anthropic-ratelimit-${name}-limit`, String(limit)],
  [`anthropic-ratelimit-${name}-remaining`, String(remaining)],
];

/**
 * Limit and remaining. The vendor's third header, `-reset`, is an instant in time, and a codec has no clock: it is left out.
 * https://platform.claude.com/docs/en/api/rate-limits#response-headers
 */
export const encodeLimits = (figures: LimitFigures): Headers =>
  Object.fromEntries(
    units.flatMap(([unit, name]) => {
      const figure = figures[unit];
      return figure === undefined ? [] : encodeFigure(name, figure);
    }),
  );
