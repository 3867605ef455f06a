import { splitHosts } from './postgres-hosts.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/**
 * Converts an error of the database to KOINE_STORE_FAILED, with a sentence on what was attempted and the reason. A
 * GatewayError is returned unchanged.
 */
export function databaseFailure(attempted: string, thrown: unknown): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  return new GatewayError('KOINE_STORE_FAILED', `${attempted}: ${readReason(thrown)}.`, { cause: thrown });
}

/** A host with several addresses fails once per address. */
const readReason = (thrown: unknown): string => {
  if (thrown instanceof AggregateError) return [...new Set(thrown.errors.map(readReason))].join(', ');
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
};

/** Names a Postgres database without user, password and URL parameters, which can contain secrets. */
export function nameServer(url: string): string {
  const { urls, hosts } = splitHosts(url);
  const [first = ''] = urls;
  const { protocol, pathname } = URL.canParse(first) ? new URL(first) : { protocol: 'postgres:', pathname: '' };
  return `${protocol}//${URL.canParse(first) ? hosts : '***'}${pathname}`;
}
