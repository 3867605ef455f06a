import type { GatewayError } from '../../errors.ts';

const logged = new WeakSet<GatewayError>();

/** The log has a line of this error that names the plugin: nothing further out logs it again. */
export const markLogged = (error: GatewayError): GatewayError => {
  logged.add(error);
  return error;
};

export const isLogged = (error: GatewayError): boolean => logged.has(error);
