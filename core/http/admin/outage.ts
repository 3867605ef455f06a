import type { Log } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** An outage of the database is a 503 for the caller. The message of the database goes to the log only. */
export const describeOutage = (error: GatewayError, log: Pick<Log, 'error'>): GatewayError => {
  if (error.code !== 'KOINE_STORE_FAILED') return error;
  log.error({ error }, 'a query of the admin API failed');
  return new GatewayError(
    'service_unavailable',
    'The database is not available at the moment; the log of the gateway has the reason.',
    { cause: error },
  );
};
