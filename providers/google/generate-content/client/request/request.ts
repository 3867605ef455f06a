import type { GenerateRequest } from '../../../../../core/api/index.ts';
import { isObject, omitUndefined, type DecodedRequest, type InboundRequest } from '../../../../../core/api/codec.ts';
import { declareCap } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';
import { decodeConfig, DYNAMIC_BUDGET } from './config.ts';
import { readEnum, readModel, readWireMembers } from './wire-members.ts';
import { decodeToolConfig, decodeTools } from './tools.ts';
import { decodeTurns } from './turns.ts';

/** Without `alt=sse`, a stream is one JSON array: https://cloud.google.com/apis/docs/system-parameters */
const chooseFraming = ({ alt, $alt = alt }: InboundRequest['query']): string => ($alt === 'sse' ? 'sse' : 'json-array');

/** Members that refer to state at the vendor. */
const stateful = ['cachedContent', 'continuationToken'] as const;

/** Labels are members of Vertex AI for billing; a request has no other member for the end user. */
export const findUser = (labels: unknown): { readonly user?: string } => {
  const user = isObject(labels) ? (labels['user_id'] ?? labels['user']) : undefined;
  return typeof user === 'string' ? { user } : {};
};

/**
 * Decodes a request of this wire. Members that are not read here become extra members, by their full path.
 * https://ai.google.dev/api/generate-content
 * @param path of the request within the body; empty for the body itself
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest, path = ''): DecodedRequest<'generate'> {
  const body = readWireMembers(inbound.body, path);
  const model = readModel(inbound, body, 'generateContent');
  const stream = inbound.stream ?? false;
  const turns = decodeTurns(body);
  const tools = decodeTools(body);
  const { toolChoice, extra: toolConfig } = decodeToolConfig(body);
  const { settings, extra: config } = decodeConfig(body);
  const { name: serviceTier, extra: tierNumber } = readEnum(body, 'serviceTier');
  const store = body.boolean('store');
  const vendorState = stateful.filter((name) => body.has(name)).map((name) => body.at(name));
  const request: GenerateRequest = {
    wire: WIRE,
    turns,
    tools,
    ...omitUndefined<Partial<GenerateRequest>>({
      toolChoice,
      serviceTier,
      store,
      vendorState: vendorState.length === 0 ? undefined : vendorState,
    }),
    ...settings,
    stream,
    includeUsage: true,
    extra: {
      wire: WIRE,
      members: { ...body.unread(), ...tierNumber, ...toolConfig, ...config },
      ...(DYNAMIC_BUDGET in config ? { honoured: [DYNAMIC_BUDGET] } : {}),
    },
  };
  const { labels } = request.extra.members;
  return {
    model,
    request,
    ...findUser(labels),
    ...declareCap(inbound.body, request.maxTokens),
    ...(stream ? { framing: chooseFraming(inbound.query) } : {}),
  };
}
