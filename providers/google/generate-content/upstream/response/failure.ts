import { GatewayError } from '../../../../../core/index.ts';

export const malformed = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent something that is no answer of generate-content.');
export const truncated = (): GatewayError => new GatewayError('upstream_truncated');
