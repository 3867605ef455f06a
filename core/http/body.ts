import { koaBody } from 'koa-body';
import type { Context } from 'koa';
import { GatewayError } from '../errors.ts';
import { lingerAtEnd } from './linger.ts';
import { headOf } from './request-head.ts';

export type ReadBody = (context: Context) => Promise<Uint8Array>;

const statusOf = (thrown: unknown): number => (typeof thrown === 'object' && thrown !== null && 'status' in thrown && typeof thrown.status === 'number' ? thrown.status : 500);

const describeFailure = (thrown: unknown, context: Context, limit: number, origin: string): GatewayError => {
  const status = statusOf(thrown);
  // The rest of the body is still on its way: the connection cannot serve another request.
  context.set('connection', 'close');
  lingerAtEnd(context.req.socket);
  if (GatewayError.is(thrown)) return thrown;
  if (status === 413) return new GatewayError('request_too_large', `The body is larger than ${limit} bytes, the limit of this gateway${origin}.`);
  if (status === 415) return new GatewayError('unsupported_media_type', `The content-encoding '${context.get('content-encoding')}' is not supported; send identity, gzip, deflate or br.`);
  if (context.req.aborted || context.res.destroyed) return new GatewayError('client_closed');
  if (status === 400) return new GatewayError('invalid_request', 'The body did not arrive whole: its length differs from content-length, or its compression is broken.');
  return new GatewayError('invalid_request', 'The body could not be read.', { cause: thrown });
};

/** A reading that is over when its request is, with the reason: the client has left, or the gateway drains and waits no longer. */
const untilEnd = (reading: Promise<unknown>, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    reading.then(resolve, reject);
  });

/**
 * Reads a body of any content type as bytes, inflated, never more than `limit` of them: every wire is JSON, and `curl -d` names another type.
 * koa-body hands over text; latin1 is the encoding in which text and bytes are the same, so the native lane gets what the client sent.
 * @param origin the setting that the limit comes from, as a refusal names it
 */
export const createBodyReader = (limit: number, origin = ' (server.bodyLimit)'): ReadBody => {
  const read = koaBody({ json: false, urlencoded: false, multipart: false, text: true, textTypes: ['*/*'], textLimit: limit, encoding: 'latin1' });
  const done = async (): Promise<void> => {};
  return async (context) => {
    // Whatever it says, and even if it says nothing that can be read: the parser would take such a body for an empty one.
    context.req.headers['content-type'] = 'application/json';
    try {
      const reading = read(context, done);
      const signal = headOf(context)?.signal;
      await (signal === undefined ? reading : untilEnd(reading, signal));
    } catch (thrown) {
      throw describeFailure(thrown, context, limit, origin);
    }
    const text: unknown = context.request.body;
    return typeof text === 'string' ? Buffer.from(text, 'latin1') : new Uint8Array();
  };
};
