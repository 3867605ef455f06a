import type { Middleware } from 'koa';
import { excerpt, redactPath } from '../canonical/text/redact.ts';
import type { Log } from '../contracts/services.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';
import { isLogged } from '../exchange/hooks/hook.ts';
import { writePlainError } from './response/plain-error.ts';

const refuseMethod = (method: string, path: string): GatewayError =>
  new GatewayError('method_not_allowed', `${method} is not allowed at ${excerpt(redactPath(path), 200)}.`);

const refusePath = (path: string, hint: string): GatewayError => {
  const reason = path.includes('/v1/v1') ? ': the base URL of this client ends in /v1 twice.' : `. ${hint}`;
  return new GatewayError('not_found', `There is no route ${excerpt(redactPath(path), 200)}${reason}`);
};

const statusErrors: Readonly<Record<number, (method: string, path: string, hint: string) => GatewayError>> = {
  404: (_, path, hint) => refusePath(path, hint),
  405: refuseMethod,
  // The router's status for a method that no route has.
  501: refuseMethod,
};

/** Koa and its middleware throw errors with a status: a 4xx is the fault of the client, not of the gateway. */
const readHttpError = (thrown: unknown): GatewayError | undefined => {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return undefined;
  return thrown.status >= 400 && thrown.status < 500
    ? new GatewayError('invalid_request', thrown.message, { status: thrown.status })
    : undefined;
};

/**
 * The outermost middleware: turns errors into responses, and gives paths without a route a body.
 * @param hint a sentence for the 404 about what is served
 * @param write writes the response to a request that failed
 */
export const createErrorBoundary =
  (log: Log, hint: string, write = writePlainError): Middleware =>
  async (context, next) => {
    try {
      await next();
      const describe =
        context.respond === false || context.body !== undefined ? undefined : statusErrors[context.status];
      if (describe !== undefined) write(context, describe(context.method, context.path, hint));
    } catch (thrown) {
      const error = GatewayError.is(thrown) ? thrown : (readHttpError(thrown) ?? toGatewayError(thrown));
      if (error.code === 'internal_error' && !isLogged(error))
        log.error({ error: error.cause ?? error, path: excerpt(context.path, 200) }, 'a middleware failed');
      if (!context.headerSent) write(context, error);
      else if (!context.res.writableEnded) context.res.destroy();
    }
  };
