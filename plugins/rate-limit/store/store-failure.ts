import type { StoreErrorKind } from '../meters.ts';

/** Why a store failed: it said no, it said nothing, or it was not there. */
export function kindOfFailure(error: unknown): StoreErrorKind {
  if (!(error instanceof Error)) return 'down';
  if (error.name === 'ReplyError') return 'script';
  return /timed? ?out|did not answer/i.test(error.message) ? 'timeout' : 'down';
}
