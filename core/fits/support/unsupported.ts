import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/**
 * The error of a fit for a request that the target cannot carry out. Another target might; if none can, the client gets
 * a 400 with this member.
 */
export const unsupportedParameter = (param: string, message: string, cause?: unknown): GatewayError =>
  new GatewayError('unsupported_parameter', message, omitUndefined({ param, cause }));
