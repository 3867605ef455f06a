import type { GenerateResponse } from '../../../../../core/api/index.ts';
import {
  composeResponse,
  createBufferLimit,
  emptyResponse,
  isObject,
  malformedBody,
  type ReadContext,
  readText,
} from '../../../../../core/api/codec.ts';
import { readFinish } from '../../finish.ts';
import { WIRE } from '../../shape.ts';
import { readUsage } from '../../usage.ts';
import { hasVisibleContent, openBlock } from './block-reader.ts';
import { decodeErrorBody } from './error.ts';

/** The members of a message that are read. */
export const messageMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);

/** @throws GatewayError if the body is an error, not a message, or a message with neither content nor a stop reason */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body) || body['type'] === 'error' || (isObject(body['error']) && body['content'] === undefined)) {
    if (isObject(body)) throw decodeErrorBody(body);
    throw malformedBody('is not a message');
  }
  const { id, model, content, usage } = body;
  if (!Array.isArray(content)) throw malformedBody('has no content');
  const blocks = content.filter(isObject);
  if (typeof body['stop_reason'] !== 'string' && !blocks.some(hasVisibleContent)) throw emptyResponse();
  const members = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !messageMembers.has(name) && value !== null),
  );
  const plain = composeResponse((events) => {
    const answer = events.choice(0);
    const keep = createBufferLimit();
    events.start({ id: readText(id), model: readText(model) });
    for (const [index, block] of blocks.entries()) openBlock(block, { answer, index, context, keep }).stop();
    answer.finish(readFinish(body, context.lose));
    if (isObject(usage)) events.usage(readUsage(usage));
    events.end();
  });
  return { ...plain, ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }) };
}
