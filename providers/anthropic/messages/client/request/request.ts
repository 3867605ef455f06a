import {
  type GenerateRequest,
  invalidRequest,
  type JsonObject,
  type Tool,
  type OutputFormat,
} from '../../../../../core/api/index.ts';
import {
  type DecodedRequest,
  type InboundRequest,
  type Members,
  omitUndefined,
  readMembers,
  type NumberRule,
} from '../../../../../core/api/codec.ts';
import { declareCap } from '../../../../../core/api/internal.ts';
import { nestExtra } from '../../extra-members.ts';
import { WIRE } from '../../shape.ts';
import { checkVersion } from '../../version.ts';
import { THREAD } from './references.ts';
import { decodeReasoning } from './reasoning.ts';
import { applyToolChanges } from './tool-changes.ts';
import { decodeToolChoice, decodeTools } from './tools.ts';
import { decodeTurns } from './turns.ts';

/** Old clients send -1 for "not set", and the vendor accepts it. */
const readOptional = (body: Members, name: string, rule: NumberRule): number | undefined =>
  body.value(name) === -1 ? undefined : body.number(name, rule);

/** https://platform.claude.com/docs/en/api/messages/create */
function decodeSampling(body: Members): Partial<GenerateRequest> {
  const temperature = body.number('temperature', { min: 0, max: 1 });
  const topP = readOptional(body, 'top_p', {});
  const topK = readOptional(body, 'top_k', { min: 0, integer: true });
  const stop = body.strings('stop_sequences');
  return omitUndefined({ temperature, topP, topK, stop: stop?.length === 0 ? undefined : stop });
}

/**
 * The format of `output_config`, or of the older member `output_format`. This gateway adds a `name`, which targets of
 * other wires require.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
function decodeOutputFormat(format: Members): OutputFormat {
  if (format.oneOf('type', ['json_schema']) === undefined)
    throw invalidRequest(format.at('type'), `'${format.at('type')}' is required.`);
  const schema = format.rawObject('schema');
  if (schema === undefined) throw invalidRequest(format.at('schema'), `'${format.at('schema')}' is required.`);
  return omitUndefined({ type: 'schema' as const, schema, name: format.string('name') });
}

/**
 * What only this vendor does. The response to a compaction is a summary and nothing else: another vendor would go on
 * with the conversation. A client that requests safeguards relies on them, and checks by itself if they are refused.
 * Counting ignores both.
 */
const ownRequests = [
  { field: 'compaction', what: 'a compaction of the conversation' },
  { field: 'safeguards', what: 'a check of the response' },
] as const;

/** Fast mode is a tier to other vendors: it costs more, and responds sooner. The standard speed is theirs as well. */
const decodeTier = (body: Members): { readonly serviceTier?: string; readonly honoured?: readonly string[] } => {
  const [serviceTier, speed] = [body.string('service_tier'), body.value('speed')];
  const isFast = speed === 'fast' && (serviceTier ?? 'auto') === 'auto';
  return omitUndefined({
    serviceTier: isFast ? 'priority' : serviceTier,
    honoured: isFast || speed === 'standard' ? ['speed'] : undefined,
  });
};

/** A loop, because most requests have tools and few are deferred. */
const hasDeferred = (tools: readonly Tool[]): boolean => {
  for (const { deferred } of tools) if (deferred === true) return true;
  return false;
};

/** Beta members and vendor tools work only with the header that enables them, so the header is kept with them. */
const betaHeader = (inbound: InboundRequest, extra: JsonObject, tools: readonly Tool[]): JsonObject => {
  const header = inbound.headers['anthropic-beta'];
  const needed = Object.keys(extra).length > 0 || tools.some(({ vendor, deferred }) => vendor ?? deferred);
  return header === undefined || !needed ? {} : { 'anthropic-beta': header };
};

type Purpose = 'generate' | 'count';

/** Generation requires a cap, counting does not. */
const decodeCap = (body: Members, purpose: Purpose): number | undefined => {
  const maxTokens = body.number('max_tokens', { integer: true, above: 0 });
  if (maxTokens === undefined && purpose === 'generate')
    throw invalidRequest('max_tokens', "'max_tokens' is required.");
  return maxTokens;
};

/** The turns, and the tools that they leave. */
const decodeConversation = (body: Members): Pick<GenerateRequest, 'turns' | 'tools'> => {
  const { turns, changes } = decodeTurns(body);
  const declared = decodeTools(body);
  const isChanged = changes.length > 0 || hasDeferred(declared);
  return { turns, tools: isChanged ? applyToolChanges(declared, changes) : declared };
};

const decodeFor = (inbound: InboundRequest, purpose: Purpose): DecodedRequest<'generate'> => {
  checkVersion(inbound.headers, inbound.versions);
  const body = readMembers(inbound.body);
  const model = body.requiredString('model');
  const maxTokens = decodeCap(body, purpose);
  const { turns, tools } = decodeConversation(body);
  const config = body.object('output_config');
  const { reasoning, extra: thinking } = decodeReasoning(body, config);
  const format = config?.object('format') ?? body.object('output_format');
  const metadata = body.object('metadata');
  const { serviceTier, honoured } = decodeTier(body);
  const isOwn = purpose === 'generate' && (body.has('compaction') || body.has('safeguards'));
  const known: Omit<GenerateRequest, 'extra'> = {
    wire: WIRE,
    turns,
    tools,
    ...decodeToolChoice(body),
    ...omitUndefined<Partial<GenerateRequest>>({
      output: format && decodeOutputFormat(format),
      maxTokens,
      reasoning,
      user: metadata?.string('user_id'),
      serviceTier,
      vendorState: body.has(THREAD) ? [THREAD] : undefined,
      vendorOnly: isOwn ? ownRequests.filter(({ field }) => body.has(field)) : undefined,
    }),
    ...decodeSampling(body),
    choices: 1,
    stream: body.boolean('stream') ?? false,
    includeUsage: true,
  };
  // A member of the body never becomes the header of that name.
  const { 'anthropic-beta': _member, ...others } = body.unread();
  const extra = {
    ...omitUndefined({ speed: body.value('speed') }),
    ...others,
    ...thinking,
    ...(config && nestExtra('output_config', config)),
    ...(format && nestExtra('output_config.format', format)),
    ...(metadata && nestExtra('metadata', metadata)),
  };
  const members = { ...extra, ...betaHeader(inbound, extra, tools) };
  return {
    model,
    request: { ...known, extra: omitUndefined({ wire: WIRE, members, honoured }) },
    ...declareCap(inbound.body, maxTokens),
  };
};

/**
 * Decodes a request of this wire. Members that are not read here become extra members.
 * https://platform.claude.com/docs/en/api/messages/create
 * @throws GatewayError 400 if the version header is missing, or a member is not valid
 */
export const decodeRequest = (inbound: InboundRequest): DecodedRequest<'generate'> => decodeFor(inbound, 'generate');

/**
 * Decodes a request whose tokens are only counted: the cap is optional, and it is never a stream.
 * https://platform.claude.com/docs/en/api/messages-count-tokens
 */
export function decodeCountRequest(inbound: InboundRequest): DecodedRequest<'count-tokens'> {
  const { model, request } = decodeFor(inbound, 'count');
  return { model, request: { ...request, stream: false } };
}
