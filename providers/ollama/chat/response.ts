import type { GenerateResponse } from '../../../core/api/index.ts';
import { composeResponse, emptyResponse, isObject, malformedBody, type ReadContext } from '../../../core/api/codec.ts';
import { decodeEmbeddedError } from '../error.ts';
import { WIRE } from './shape.ts';
import { ChatReader, holdsError } from './stream.ts';

/** A plain response is a stream of one line. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (holdsError(body)) throw decodeEmbeddedError(WIRE, body);
  if (body['done'] !== true) throw emptyResponse();
  return composeResponse((events) => new ChatReader(context, events).read(body));
}
