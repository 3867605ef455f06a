import type { GatewayError } from '../../errors.ts';

const blamed = new WeakSet<GatewayError>();

/** The log has named who is to blame for this error: nobody further out need log it again. */
export const markBlamed = (error: GatewayError): GatewayError => {
  blamed.add(error);
  return error;
};
export const isBlamed = (error: GatewayError): boolean => blamed.has(error);
