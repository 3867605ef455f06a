import type { Fetch } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** `services.fetch` of extensions that only explain: a token for a call that is never made must not be fetched. */
export const refuseFetch: Fetch = () =>
  Promise.reject(
    new GatewayError(
      'service_unavailable',
      'The call needs something that must be fetched first, and nothing is fetched while a request is explained.',
    ),
  );
