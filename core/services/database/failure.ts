import { GatewayError } from '../../errors/gateway-error.ts';

/** Any throw of the database as KOINE_STORE_FAILED: a sentence that says what was tried and what the database answered. Ours pass as they are. */
export function databaseFailure(attempted: string, thrown: unknown): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  return new GatewayError('KOINE_STORE_FAILED', `${attempted}: ${readReason(thrown)}.`, { cause: thrown });
}

/** A host of several addresses fails once for each of them. */
const readReason = (thrown: unknown): string => {
  if (thrown instanceof AggregateError) return [...new Set(thrown.errors.map(readReason))].join(', ');
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
};

/** A database of Postgres without the user, the password and the parameters of its URL, which may hold others. */
export function nameServer(url: string): string {
  const { protocol, host, pathname } = URL.canParse(url)
    ? new URL(url)
    : { protocol: 'postgres:', host: '***', pathname: '' };
  return `${protocol}//${host}${pathname}`;
}
