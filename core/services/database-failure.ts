import { GatewayError } from '../errors.ts';

/** Any throw of the database as KOINE_STORE_FAILED: a sentence that says what was tried and what SQLite answered. Ours pass as they are. */
export const databaseFailure = (attempted: string, thrown: unknown): GatewayError => {
  if (GatewayError.is(thrown)) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new GatewayError('KOINE_STORE_FAILED', `${attempted}: ${reason}.`, { cause: thrown });
};
