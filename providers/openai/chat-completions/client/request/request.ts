import type { GenerateRequest } from '../../../../../core/api/index.ts';
import {
  type DecodedRequest,
  type InboundRequest,
  isObject,
  type Members,
  omitUndefined,
  readMembers,
  readObject,
} from '../../../../../core/api/codec.ts';
import { declareCap } from '../../../../../core/api/internal.ts';
import { decodeCommon } from './common-request.ts';
import { markForm } from '../../request-form.ts';
import { WIRE } from '../../shape.ts';
import { decodeSearch, SEARCH_OPTIONS } from '../../web-search.ts';
import {
  checkBias,
  decodeOutput,
  decodeStreamOptions,
  listGroups,
  listModeration,
  LOGPROBS_MEMBERS,
  readLogprobsWanted,
} from './settings.ts';
import { decodeMessages } from './turns.ts';
import { decodeReasoning } from './reasoning.ts';
import { decodeSampling } from './sampling.ts';
import { decodeToolChoice, decodeTools } from './tools.ts';

/** `user` is the older name of `safety_identifier`. With both, `safety_identifier` stays in `extra`. */
const decodeUser = (body: Members): string | undefined => body.string('user') ?? body.string('safety_identifier');

/** With both, `safety_identifier` names the end user: `user` can be a key of the prompt cache. */
const findIdentifier = ({ extra }: GenerateRequest): { readonly user?: string } => {
  const identifier = extra.members['safety_identifier'];
  return typeof identifier === 'string' ? { user: identifier } : {};
};

/**
 * https://platform.openai.com/docs/api-reference/chat/create. Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'generate'> {
  return (isObject(inbound.body) ? decodeCommon(inbound.body) : undefined) ?? decodeFully(inbound);
}

/** {@link decodeRequest} of any request. Exported for the test that compares the two. */
export function decodeFully(inbound: InboundRequest): DecodedRequest<'generate'> {
  const body = readMembers(inbound.body);
  const model = body.requiredString('model');
  const { turns, legacy } = decodeMessages(body);
  const tools = decodeTools(body);
  const reasoning = decodeReasoning(body);
  const { olderCap, ...sampling } = decodeSampling(body);
  const options = decodeStreamOptions(body);
  const view = readMembers(inbound.body);
  checkBias(view);
  const wanted = readLogprobsWanted(view);
  const known: Omit<GenerateRequest, 'extra'> = omitUndefined({
    wire: WIRE,
    turns,
    tools: body.has(SEARCH_OPTIONS) ? [...tools.tools, ...decodeSearch(inbound.body)] : tools.tools,
    toolChoice: decodeToolChoice(body),
    parallelTools: body.boolean('parallel_tool_calls'),
    output: body.has('response_format') ? decodeOutput(body, readObject(inbound.body)['response_format']) : undefined,
    ...sampling,
    ...wanted,
    reasoning: reasoning.reasoning,
    verbosity: body.string('verbosity'),
    user: decodeUser(body),
    serviceTier: body.string('service_tier'),
    cacheKey: body.string('prompt_cache_key'),
    store: body.boolean('store'),
    stream: body.boolean('stream') ?? false,
    includeUsage: options.includeUsage,
  });
  const members = { ...body.unread(), ...options.extra, ...reasoning.extra };
  const names = [...(reasoning.honoured ?? []), ...(wanted.logprobs === undefined ? [] : LOGPROBS_MEMBERS)];
  const honoured = names.length === 0 ? {} : { honoured: names };
  const request = {
    ...known,
    ...('moderation' in members ? { vendorOnly: listModeration(members) } : {}),
    extra:
      Object.keys(members).length === 0
        ? { wire: WIRE, members }
        : { wire: WIRE, members, ...listGroups(members), ...honoured },
  };
  const form = { olderCap, reasoningObject: reasoning.isObject, functions: legacy || tools.legacy };
  return {
    model,
    request: markForm(request, form),
    ...declareCap(inbound.body, request.maxTokens),
    ...(request.user === undefined ? {} : findIdentifier(request)),
  };
}
