import type { Headers, LimitFigure, LimitFigures } from '../../../../../core/api/index.ts';

/** Formats a duration as OpenAI does: `12ms`, `1.5s`, `6m0s`, `1h2m3s`. */
export function formatDuration(milliseconds: number): string {
  const whole = Math.max(0, Math.ceil(milliseconds));
  if (whole < 1_000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = `${(whole % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

const describeFigure = (unit: string, figure: LimitFigure | undefined): Headers =>
  figure === undefined
    ? {}
    : {
        [`x-ratelimit-limit-${unit}`]: `${figure.limit}`,
        [`x-ratelimit-remaining-${unit}`]: `${Math.max(0, figure.remaining)}`,
        [`x-ratelimit-reset-${unit}`]: formatDuration(figure.resetMs),
      };

/**
 * https://platform.openai.com/docs/guides/rate-limits: requests and tokens. This wire has no headers for input and
 * output tokens separately.
 */
export const encodeLimits = (figures: LimitFigures): Headers => ({
  ...describeFigure('requests', figures.requests),
  ...describeFigure('tokens', figures.tokens),
});
