import type { Fetch } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What is lent to the extensions that explain: a token that a provider would fetch first is not fetched for a call that is never made. */
export const fetchNothing: Fetch = () =>
  Promise.reject(
    new GatewayError(
      'service_unavailable',
      'The call wants something that has to be fetched first, and nothing is fetched while a request is explained.',
    ),
  );
