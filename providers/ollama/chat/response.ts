import type { GenerateResponse } from '../../../core/api/index.ts';
import {
  emptyResponse,
  EventWriter,
  foldEvents,
  isObject,
  malformedBody,
  type GenerateEvent,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { decodeEmbeddedError } from '../error.ts';
import { WIRE } from './shape.ts';
import { ChatReader, holdsError } from './stream.ts';

/** A plain response is a stream of one line. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (holdsError(body)) throw decodeEmbeddedError(WIRE, body);
  if (body['done'] !== true) throw emptyResponse();
  const events: GenerateEvent[] = [];
  new ChatReader(context, new EventWriter((event) => events.push(event))).read(body);
  return foldEvents(events);
}
