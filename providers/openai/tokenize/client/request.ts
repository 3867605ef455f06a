import { invalidRequest } from '../../../../core/api/index.ts';
import { type DecodedRequest, type InboundRequest, type Members, readMembers } from '../../../../core/api/codec.ts';
import { decodeRequest as decodeChat } from '../../chat-completions/client/request/request.ts';
import { WIRE } from '../shape.ts';

const decodePrompt = (body: Members): DecodedRequest<'count-tokens'> => {
  const model = body.requiredString('model');
  const text = body.requiredString('prompt');
  return {
    model,
    request: {
      wire: WIRE,
      turns: [{ role: 'user', parts: [{ type: 'text', text }] }],
      tools: [],
      choices: 1,
      stream: false,
      includeUsage: false,
      extra: { wire: WIRE, members: body.unread() },
    },
  };
};

/**
 * A text (`prompt`), or a conversation as chat completions have it (`messages`), which keeps the name of their wire.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'count-tokens'> {
  const body = readMembers(inbound.body);
  if (body.has('messages') && body.has('prompt'))
    throw invalidRequest('prompt', "'prompt' and 'messages' exclude each other; send one of them.");
  if (body.has('prompt')) return decodePrompt(body);
  if (!body.has('messages')) throw invalidRequest('prompt', "'prompt' or 'messages' is required.");
  const { model, request } = decodeChat(inbound);
  return { model, request: { ...request, stream: false } };
}
