import type { Middleware } from 'koa';
import { excerpt } from '../canonical/text/redact.ts';
import type { Log } from '../contracts/services.ts';
import { GatewayError, toGatewayError } from '../errors/gateway-error.ts';
import { isLogged } from '../exchange/guard/hook.ts';
import { writePlainError } from './response/plain-error.ts';

const refuseMethod = (method: string, path: string): GatewayError =>
  new GatewayError('method_not_allowed', `${method} is not allowed at ${excerpt(path, 200)}.`);

const findNothing = (path: string, whatIsThere: string): GatewayError =>
  new GatewayError(
    'not_found',
    `No route is at ${excerpt(path, 200)}${path.includes('/v1/v1') ? ': the base URL of this client ends in /v1 twice.' : `. ${whatIsThere}`}`,
  );

const statusErrors: Readonly<Record<number, (method: string, path: string, whatIsThere: string) => GatewayError>> = {
  404: (_, path, whatIsThere) => findNothing(path, whatIsThere),
  405: refuseMethod,
  // What the router says of a method that no route has.
  501: refuseMethod,
};

/** Koa and its middleware throw errors with a status of their own: a 4xx of theirs is the client's doing, and not our failure. */
const readHttpError = (thrown: unknown): GatewayError | undefined => {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return undefined;
  return thrown.status >= 400 && thrown.status < 500
    ? new GatewayError('invalid_request', thrown.message, { status: thrown.status })
    : undefined;
};

/**
 * The outermost middleware: a throw becomes an answer, and a path that nothing served gets a body that says so.
 * @param whatIsThere a sentence for whoever asked for what is not
 */
export const createErrorBoundary =
  (log: Log, whatIsThere: string): Middleware =>
  async (context, next) => {
    try {
      await next();
      const describe =
        context.respond === false || context.body !== undefined ? undefined : statusErrors[context.status];
      if (describe !== undefined) writePlainError(context, describe(context.method, context.path, whatIsThere));
    } catch (thrown) {
      const error = GatewayError.is(thrown) ? thrown : (readHttpError(thrown) ?? toGatewayError(thrown));
      if (error.code === 'internal_error' && !isLogged(error))
        log.error({ error: error.cause ?? error, path: excerpt(context.path, 200) }, 'a middleware failed');
      if (!context.headerSent) writePlainError(context, error);
      else if (!context.res.writableEnded) context.res.destroy();
    }
  };
