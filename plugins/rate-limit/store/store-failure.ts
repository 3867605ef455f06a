import { GatewayError } from '../../../core/api/index.ts';
import type { StoreErrorKind } from '../meters.ts';

/** Classifies the error of a store: an error reply, no reply in time, or no connection. */
export function kindOfFailure(error: unknown): StoreErrorKind {
  if (error instanceof Error && error.name === 'ReplyError') return 'script';
  return GatewayError.is(error) && error.failure === 'timeout' ? 'timeout' : 'down';
}
