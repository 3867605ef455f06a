import { GatewayError } from '../../errors/gateway-error.ts';

/** The refusal of a fit: this target cannot carry the request, the next one may. A 400 naming the member when none can. */
export const unsupportedParameter = (param: string, message: string, cause?: unknown): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param, ...(cause === undefined ? {} : { cause }) });
