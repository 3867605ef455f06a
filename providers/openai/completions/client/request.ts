import type { GenerateRequest, Turn, VendorOnly } from '../../../../core/api/index.ts';
import {
  type DecodedRequest,
  type InboundRequest,
  type Members,
  omitUndefined,
  readMembers,
} from '../../../../core/api/codec.ts';
import { declareCap } from '../../../../core/api/internal.ts';
import { invalidMember } from '../../request-members.ts';
import { checkBias, decodeStreamOptions } from '../../chat-completions/client/request/settings.ts';
import { decodeSampling } from '../../chat-completions/client/request/sampling.ts';
import { WIRE } from '../shape.ts';

const MAX_PROMPTS = 2_048;

interface Prompts {
  /** Texts, each completed on its own. */
  readonly texts: readonly string[];
  /** Lists of token ids, which only vendors of this wire can read. */
  readonly tokens?: unknown;
  readonly count: number;
}

const isTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((token) => Number.isSafeInteger(token) && Number(token) >= 0);

/** https://platform.openai.com/docs/api-reference/completions/create#completions-create-prompt */
const decodePrompts = (body: Members): Prompts => {
  const value = body.value('prompt');
  if (typeof value === 'string') return { texts: [value], count: 1 };
  if (value === undefined) throw invalidMember('prompt', 'is required.');
  if (!Array.isArray(value) || value.length === 0)
    throw invalidMember('prompt', 'must be a text, a list of texts, or token ids.');
  if (isTokens(value)) return { texts: [], tokens: value, count: 1 };
  if (value.length > MAX_PROMPTS)
    throw invalidMember('prompt', `has ${value.length} elements; at most ${MAX_PROMPTS} can be sent at once.`);
  if (value.every(isTokens)) return { texts: [], tokens: value, count: value.length };
  const wrong = value.findIndex((text) => typeof text !== 'string');
  if (wrong !== -1) throw invalidMember(`prompt[${wrong}]`, `must be a text, as all elements, or a token id.`);
  return { texts: value as readonly string[], count: value.length };
};

/** What a target that chats cannot do, and what must not be left out. */
const listVendorOnly = (body: Members, { tokens, count }: Prompts): readonly VendorOnly[] => {
  const suffix = body.string('suffix') ?? '';
  return [
    ...(tokens === undefined ? [] : [{ field: 'prompt', what: 'the completion of token ids' }]),
    ...(count === 1 ? [] : [{ field: 'prompt', what: 'the completion of several prompts in one request' }]),
    ...(suffix === '' ? [] : [{ field: 'suffix', what: 'a text that ends with a given suffix' }]),
    ...(body.boolean('echo') === true ? [{ field: 'echo', what: 'the prompt at the start of the response' }] : []),
  ];
};

const turnOf = (text: string): Turn => ({ role: 'user', parts: [{ type: 'text', text }] });

/** What only vendors of this wire can do stays in `extra` as it is. */
const readExtra = (value: unknown, { tokens }: Prompts): object => {
  const { suffix, echo } = readMembers(value).unread();
  return omitUndefined({ prompt: tokens, suffix: suffix ?? undefined, echo: echo ?? undefined });
};

/**
 * https://platform.openai.com/docs/api-reference/completions/create. Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest({ body: value }: InboundRequest): DecodedRequest<'generate'> {
  const body = readMembers(value);
  const model = body.requiredString('model');
  const prompts = decodePrompts(body);
  const vendorOnly = listVendorOnly(body, prompts);
  const { olderCap: _olderCap, choices, ...sampling } = decodeSampling(body);
  const options = decodeStreamOptions(body);
  checkBias(readMembers(value));
  // It stays in `extra` as well: a server of this wire gets what the client wrote.
  const logprobs = readMembers(value).number('logprobs', { integer: true, min: 0 });
  const known: Omit<GenerateRequest, 'extra'> = omitUndefined({
    wire: WIRE,
    turns: prompts.texts.map(turnOf),
    tools: [],
    ...sampling,
    logprobs,
    choices: choices * prompts.count,
    user: body.string('user'),
    vendorOnly: vendorOnly.length === 0 ? undefined : vendorOnly,
    stream: body.boolean('stream') ?? false,
    includeUsage: options.includeUsage,
  });
  const members = { ...body.unread(), ...options.extra, ...readExtra(value, prompts) };
  const honoured = logprobs === undefined ? {} : { honoured: ['logprobs'] };
  const extra = { wire: WIRE, members, ...honoured };
  return { model, request: { ...known, extra }, ...declareCap(value, known.maxTokens) };
}
