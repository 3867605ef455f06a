import type { GenerateRequest, JsonObject, OutputFormat } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, readList, readObject } from '../../../../../core/api/codec.ts';
import { shortenUser } from '../../../shorten.ts';
import { readForm } from '../../request-form.ts';
import { ENCRYPTED_REASONING, LOGPROBS, WIRE } from '../../shape.ts';
import { SEARCH_SOURCES } from '../../web-search.ts';

/**
 * `store` and `include`. Nothing is stored at the vendor unless the client asked for it. Without storage, reasoning has
 * to come encrypted, because the next turn needs it: https://platform.openai.com/docs/guides/reasoning. Clients of
 * other wires always need it.
 */
export function encodeStorage(
  { store, tools, vendorState = [], wire, logprobs }: GenerateRequest,
  extra: Readonly<JsonObject>,
): JsonObject {
  // A background response is fetched later, so the vendor has to store it.
  const stored = store ?? vendorState.includes('background');
  const include = readList(extra['include']);
  const included =
    (stored && wire === WIRE) || include.includes(ENCRYPTED_REASONING) ? include : [...include, ENCRYPTED_REASONING];
  const searches = wire !== WIRE && tools.some(({ webSearch }) => webSearch !== undefined) ? [SEARCH_SOURCES] : [];
  const tokens = wire !== WIRE && logprobs !== undefined ? [LOGPROBS] : [];
  const all = [...included, ...searches, ...tokens];
  return { store: stored, ...(all.length === 0 ? {} : { include: all }) };
}

export function encodeUser(request: GenerateRequest, lose: Lose): JsonObject {
  const { user, wire } = request;
  if (user === undefined) return {};
  if (wire === WIRE) return readForm(request).olderUser === true ? { user } : { safety_identifier: user };
  return { safety_identifier: shortenUser(user, lose) };
}

/** OpenAI refuses fewer. A client of this wire gets OpenAI's error. */
const MIN_TOKENS = 16;
const encodeMaxTokens = ({ maxTokens, wire }: GenerateRequest, lose: Lose): number | undefined => {
  if (maxTokens === undefined || maxTokens >= MIN_TOKENS || wire === WIRE) return maxTokens;
  lose('max_tokens', 'approximated', `responses accepts at least ${MIN_TOKENS}`);
  return MIN_TOKENS;
};

/** Parameters that this wire does not have, by their field names in loss reports. */
const missing = {
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
} as const;
const missingNames = Object.keys(missing) as readonly (keyof typeof missing)[];

/** Reports the parameters that this wire does not have. */
export function loseSampling(request: GenerateRequest, lose: Lose): void {
  for (const name of missingNames)
    if (request[name] !== undefined) lose(missing[name], 'dropped', `responses has no ${missing[name]}`);
  if (request.choices > 1) lose('n', 'dropped', 'responses has one choice');
}

export const encodeSampling = (request: GenerateRequest, lose: Lose): JsonObject => ({
  max_output_tokens: encodeMaxTokens(request, lose),
  temperature: request.temperature,
  top_p: request.topP,
  ...((request.logprobs ?? 0) > 0 ? { top_logprobs: request.logprobs } : {}),
});

/** `{ [name]: … }` with all members merged, or nothing when there are none. */
function mergeMembers(name: string, ...members: readonly Readonly<JsonObject>[]): JsonObject {
  const merged = omitUndefined(Object.assign({}, ...members) as JsonObject);
  return Object.keys(merged).length === 0 ? {} : { [name]: merged };
}

/** OpenAI requires a name for every schema. */
const SCHEMA_NAME = 'response';
const encodeOutput = (output: OutputFormat): JsonObject => {
  if (output.type === 'json') return { type: 'json_object' };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return omitUndefined({ type: 'json_schema', name, description, schema, strict });
};

/** `text`: output format and verbosity, merged with the extra members of the client's own `text`. */
export function encodeText({ output, verbosity }: GenerateRequest, extra: Readonly<JsonObject>): JsonObject {
  const own = readObject(extra['text']);
  const format = output === undefined ? {} : { format: { ...encodeOutput(output), ...readObject(own['format']) } };
  return mergeMembers('text', own, format, omitUndefined({ verbosity }));
}

/** `reasoning`. The summary is `auto`, unless a client of this wire asked for another kind. */
export function encodeReasoning({ reasoning }: GenerateRequest, extra: Readonly<JsonObject>, lose: Lose): JsonObject {
  const own = readObject(extra['reasoning']);
  if (reasoning === undefined) return mergeMembers('reasoning', own);
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'responses accepts an effort, not a number of tokens');
  return mergeMembers('reasoning', show === true ? { summary: 'auto' } : {}, own, omitUndefined({ effort }));
}
