import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** The refusal of a fit: this target cannot carry the request, the next one may. A 400 naming the member when none can. */
export const unsupportedParameter = (param: string, message: string, cause?: unknown): GatewayError =>
  new GatewayError('unsupported_parameter', message, omitUndefined({ param, cause }));
