import type { Context } from 'koa';
import { receiveJson } from '../../exchange/request/receive.ts';
import { createBodyReader } from '../request/body.ts';

const LIMIT = 1_048_576;
const readBytes = createBodyReader({ limit: LIMIT, origin: ' for its admin API' });

/** Whether calls of this method have a body. */
export const hasBody = ({ method }: Pick<Context, 'method'>): boolean => method === 'POST' || method === 'PATCH';

/** The body as JSON; undefined without a body. @throws GatewayError 400, 413, 415 */
export async function readJson(context: Context): Promise<unknown> {
  const raw = await readBytes(context.req, context.res);
  return raw.byteLength === 0 ? undefined : receiveJson(raw, 'rounded');
}
