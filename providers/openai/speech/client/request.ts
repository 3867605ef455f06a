import type { JsonObject } from '../../../../core/api/index.ts';
import {
  isObject,
  omitUndefined,
  readMembers,
  type DecodedRequest,
  type InboundRequest,
  type Members,
} from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';

/** The name of a voice. A voice of one's own is an object, which only its vendor can read: it stays in `extra`. */
const decodeVoice = (body: Members, given: unknown): string | undefined =>
  isObject(given) ? undefined : body.string('voice');

/**
 * Members without a canonical member stay in `extra`. Formats, voices and speeds are the vendor's to check.
 * @throws GatewayError 400 that names the member
 */
export const decodeRequest = ({ body: value }: InboundRequest): DecodedRequest<'speak'> => {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const request = {
    text: body.requiredString('input'),
    voice: decodeVoice(body, (value as JsonObject)['voice']),
    instructions: body.string('instructions'),
    format: body.string('response_format'),
    speed: body.number('speed', { above: 0 }),
    stream: body.oneOf('stream_format', ['sse', 'audio']) === 'sse',
  };
  return { model, request: omitUndefined({ ...request, extra: { wire: WIRE, members: body.unread() } }) };
};
