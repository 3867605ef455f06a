import { type GenerateRequest, invalidRequest, type Turn, type VendorOnly } from '../../../../../core/api/index.ts';
import {
  createImageLimit,
  type DecodedRequest,
  type InboundRequest,
  isObject,
  type Members,
  omitUndefined,
  readMembers,
} from '../../../../../core/api/codec.ts';
import { declareCap } from '../../../../../core/api/internal.ts';
import { findUser } from '../../../generate-content/client/request/request.ts';
import { WIRE } from '../../shape.ts';
import { decodeConfig } from './config.ts';
import { Conversation } from './conversation.ts';
import { decodeOutput } from './output-format.ts';
import { readItem } from './steps.ts';
import { decodeTools } from './tools.ts';

/** Members that refer to state at the vendor. */
const stateful = ['previous_interaction_id', 'continuation_token', 'cached_content', 'environment'] as const;

const readModel = (body: Members): string => {
  const agent = body.string('agent');
  if (agent !== undefined && body.has('model'))
    throw invalidRequest('agent', "'agent' and 'model' exclude each other: name one of them.");
  return (agent ?? body.requiredString('model')).replace(/^models\//, '');
};

/** The references of a request. Their values stay unread, and so in `extra`. */
const listState = (body: unknown): readonly string[] => {
  const view = readMembers(body);
  view.string('previous_interaction_id');
  return [...stateful.filter((name) => view.has(name)), ...(view.boolean('background') === true ? ['background'] : [])];
};

/** The vendor runs an agent, and calls the addresses of a webhook when an interaction ends. */
const listVendorOnly = (body: Members): readonly VendorOnly[] => [
  ...(body.has('agent') ? [{ field: 'agent', what: 'an agent' }] : []),
  ...(body.has('webhook_config') ? [{ field: 'webhook_config', what: 'calls of a webhook' }] : []),
];

const decodeSystem = (body: Members): readonly Turn[] => {
  const text = body.string('system_instruction') ?? '';
  return text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }];
};

/**
 * `system_instruction` and `input` as turns. The input is a text, content, or steps.
 * https://ai.google.dev/api/interactions-api
 * @param optional the vendor has a conversation that the request continues
 * @throws GatewayError 400; image limits apply to all images of the request together
 */
function decodeInput(body: Members, optional: boolean): readonly Turn[] {
  const leading = decodeSystem(body);
  const input = body.value('input');
  if (typeof input === 'string')
    return [...leading, { role: 'user', parts: input === '' ? [] : [{ type: 'text', text: input }] }];
  const items = isObject(input) ? [input] : (input ?? []);
  if (!Array.isArray(items)) throw invalidRequest('input', "'input' must be a text, content, or a list of steps.");
  if (items.length === 0 && !optional)
    throw invalidRequest('input', "'input' is required: a text, content, or a list of steps.");
  const conversation = new Conversation();
  const measure = createImageLimit();
  items.forEach((value, index) =>
    readItem(value, isObject(input) ? 'input' : `input[${index}]`, { conversation, measure }),
  );
  return [...leading, ...conversation.close()];
}

/** What repeats a default is no loss on another wire. */
const dropDefaults = ({ background, ...others }: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  background === true ? { ...others, background } : others;

/**
 * Decodes a request of this wire. Members that are not read here become extra members, by their full path.
 * https://ai.google.dev/api/interactions-api
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'generate'> {
  const body = readMembers(inbound.body);
  const model = readModel(body);
  const vendorState = listState(inbound.body);
  const vendorOnly = listVendorOnly(body);
  const turns = decodeInput(
    body,
    vendorState.some((name) => name !== 'background'),
  );
  const tools = decodeTools(body);
  const { settings, extra: config } = decodeConfig(body);
  const { output, extra: format } = decodeOutput(body);
  const request: GenerateRequest = {
    wire: WIRE,
    turns,
    tools,
    choices: 1,
    ...settings,
    ...omitUndefined<Partial<GenerateRequest>>({
      output,
      serviceTier: body.string('service_tier'),
      store: body.boolean('store'),
      vendorState: vendorState.length === 0 ? undefined : vendorState,
      vendorOnly: vendorOnly.length === 0 ? undefined : vendorOnly,
      agent: body.has('agent') ? (true as const) : undefined,
      deferred: vendorState.includes('background') ? 'background' : undefined,
    }),
    stream: body.boolean('stream') ?? false,
    includeUsage: true,
    extra: { wire: WIRE, members: { ...dropDefaults(body.unread()), ...config, ...format } },
  };
  const { labels } = request.extra.members;
  return {
    model,
    request,
    ...(labels === undefined ? {} : findUser(labels)),
    ...declareCap(inbound.body, request.maxTokens),
  };
}
