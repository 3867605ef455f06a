import type { Headers, LimitFigures } from '../../../../../core/api/index.ts';

/** Formats a duration as OpenAI does: `12ms`, `1.5s`, `6m0s`, `1h2m3s`. */
function formatDuration(milliseconds: number): string {
  const whole = Math.max(0, Math.ceil(milliseconds));
  if (whole < 1_000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = `${(whole % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

const namesOf = (unit: string) => ({
  limit: `x-ratelimit-limit-${unit}`,
  remaining: `x-ratelimit-remaining-${unit}`,
  reset: `x-ratelimit-reset-${unit}`,
});

/** This wire has no headers for input and output tokens separately. */
const names = { requests: namesOf('requests'), tokens: namesOf('tokens') };

/** https://platform.openai.com/docs/guides/rate-limits: requests and tokens. */
export function encodeLimits(figures: LimitFigures): Headers {
  const headers: Record<string, string> = {};
  for (const unit of ['requests', 'tokens'] as const) {
    const figure = figures[unit];
    if (figure === undefined) continue;
    headers[names[unit].limit] = `${figure.limit}`;
    headers[names[unit].remaining] = `${Math.max(0, figure.remaining)}`;
    headers[names[unit].reset] = formatDuration(figure.resetMs);
  }
  return headers;
}
