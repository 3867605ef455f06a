import type { AttemptRecord, Exchange } from '../../core/index.ts';

/** Which try it was: `first`, `retry` of a target that was tried before, or `fallback` to another. */
export function tryOf(
  { attempts }: Pick<Exchange, 'attempts'>,
  attempt: AttemptRecord,
): 'first' | 'retry' | 'fallback' {
  const earlier = attempts.indexOf(attempt);
  if (earlier <= 0) return 'first';
  return attempts.slice(0, earlier).some(({ target }) => target === attempt.target) ? 'retry' : 'fallback';
}
