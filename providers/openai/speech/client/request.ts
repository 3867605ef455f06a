import {
  isObject,
  omitUndefined,
  readMembers,
  readObject,
  type DecodedRequest,
  type InboundRequest,
} from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';

/**
 * Members without a canonical member stay in `extra`. Formats, voices and speeds are the vendor's to check.
 * @throws GatewayError 400 that names the member
 */
export const decodeRequest = ({ body: value }: InboundRequest): DecodedRequest<'speak'> => {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const request = {
    text: body.requiredString('input'),
    // A voice of one's own is an object, which only its vendor can read: it stays in `extra`.
    voice: isObject(readObject(value)['voice']) ? undefined : body.string('voice'),
    instructions: body.string('instructions'),
    format: body.string('response_format'),
    speed: body.number('speed', { above: 0 }),
    stream: body.oneOf('stream_format', ['sse', 'audio']) === 'sse',
  };
  return { model, request: omitUndefined({ ...request, extra: { wire: WIRE, members: body.unread() } }) };
};
