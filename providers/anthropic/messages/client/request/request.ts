import {
  type Accepted,
  declareCap,
  type GenerateRequest,
  type InboundRequest,
  invalidRequest,
  type JsonObject,
  type Members,
  type NumberRule,
  omitUndefined,
  type OutputFormat,
  readMembers,
  type Tool,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { checkVersion } from '../../version.ts';
import { decodeReasoning } from './reasoning.ts';
import { decodeToolChoice, decodeTools } from './tools.ts';
import { decodeTurns } from './turns.ts';

/** The format of `output_config`, or of its forerunner `output_format`. mission.md adds a `name`, which targets of other wires need. */
const decodeFormat = (format: Members | undefined): { readonly output?: OutputFormat } => {
  if (format === undefined) return {};
  if (format.oneOf('type', ['json_schema']) === undefined)
    throw invalidRequest(format.at('type'), `'${format.at('type')}' is required.`);
  const schema = format.rawObject('schema');
  if (schema === undefined) throw invalidRequest(format.at('schema'), `'${format.at('schema')}' is required.`);
  const name = format.string('name');
  return { output: omitUndefined({ type: 'schema' as const, schema, name }) };
};

/** Early clients wrote -1 for "not set", and the vendor takes it as that. */
const readSet = (body: Members, name: string, rule: NumberRule): number | undefined =>
  body.value(name) === -1 ? undefined : body.number(name, rule);

const decodeSampling = (body: Members): Partial<GenerateRequest> => {
  const temperature = body.number('temperature', { min: 0, max: 1 });
  const topP = readSet(body, 'top_p', {});
  const topK = readSet(body, 'top_k', { min: 0, integer: true });
  const stop = body.strings('stop_sequences');
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(stop === undefined || stop.length === 0 ? {} : { stop }),
  };
};

/** What is left of an object whose known members were read, under its own name. */
const leftover = (name: string, members: Members | undefined, inner: JsonObject = {}): JsonObject => {
  const extra = { ...members?.unread(), ...inner };
  return Object.keys(extra).length === 0 ? {} : { [name]: extra };
};

/** Beta members and vendor tools work only with the header that switches them on, so it travels with them. */
const betas = (inbound: InboundRequest, extra: JsonObject, tools: readonly Tool[]): JsonObject => {
  const header = inbound.headers['anthropic-beta'];
  const needed = Object.keys(extra).length > 0 || tools.some(({ vendor }) => vendor !== undefined);
  return header === undefined || !needed ? {} : { 'anthropic-beta': header };
};

/** An answer needs a cap; a prompt that is only counted has none. */
const decodeCap = (body: Members, purpose: 'answer' | 'count'): { readonly maxTokens?: number } => {
  const maxTokens = body.number('max_tokens', { integer: true, above: 0 });
  if (maxTokens === undefined && purpose === 'answer') throw invalidRequest('max_tokens', "'max_tokens' is required.");
  return maxTokens === undefined ? {} : { maxTokens };
};

const decodeFor = (inbound: InboundRequest, purpose: 'answer' | 'count'): Accepted<'generate'> => {
  checkVersion(inbound.headers, inbound.versions);
  const body = readMembers(inbound.body);
  const model = body.requiredString('model');
  const cap = decodeCap(body, purpose);
  const turns = decodeTurns(body);
  const tools = decodeTools(body);
  const config = body.object('output_config');
  const { reasoning, extra: thinking } = decodeReasoning(body, config);
  const format = config?.object('format') ?? body.object('output_format');
  const metadata = body.object('metadata');
  const user = metadata?.string('user_id');
  const serviceTier = body.string('service_tier');
  const stream = body.boolean('stream') ?? false;
  const known: Omit<GenerateRequest, 'extra'> = {
    wire: WIRE,
    turns,
    tools,
    ...decodeToolChoice(body),
    ...decodeFormat(format),
    ...cap,
    ...decodeSampling(body),
    choices: 1,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(user === undefined ? {} : { user }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
    stream,
    includeUsage: true,
  };
  // A member of the body never becomes the header of that name.
  const { 'anthropic-beta': _member, ...others } = body.unread();
  const extra = {
    ...others,
    ...thinking,
    ...leftover('output_config', config, leftover('format', format)),
    ...leftover('metadata', metadata),
  };
  return {
    model,
    request: { ...known, extra: { wire: WIRE, members: { ...extra, ...betas(inbound, extra, tools) } } },
    ...declareCap(inbound.body, known.maxTokens),
  };
};

/**
 * A request of this wire. Members that are not read here stay in `extra`.
 * https://platform.claude.com/docs/en/api/messages/create
 * @throws GatewayError 400 for a missing version, and for what mission.md forbids
 */
export const decodeRequest = (inbound: InboundRequest): Accepted<'generate'> => decodeFor(inbound, 'answer');

/**
 * The same request where it is only counted: without a cap, and never a stream.
 * https://platform.claude.com/docs/en/api/messages-count-tokens
 */
export function decodeCountRequest(inbound: InboundRequest): Accepted<'count-tokens'> {
  const { model, request } = decodeFor(inbound, 'count');
  return { model, request: { ...request, stream: false } };
}
