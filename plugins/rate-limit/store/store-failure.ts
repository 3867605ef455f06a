import type { StoreErrorKind } from '../meters.ts';

/** Classifies the error of a store: an error reply, no reply in time, or no connection. */
export function kindOfFailure(error: unknown): StoreErrorKind {
  if (!(error instanceof Error)) return 'down';
  if (error.name === 'ReplyError') return 'script';
  return /timed? ?out|did not respond/i.test(error.message) ? 'timeout' : 'down';
}
