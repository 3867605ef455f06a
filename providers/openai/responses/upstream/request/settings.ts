import {
  type GenerateRequest,
  type JsonObject,
  type Lose,
  omitUndefined,
  type OutputFormat,
  readList,
  readObject,
} from '../../../../../core/index.ts';
import { shortenUser } from '../../../shorten.ts';
import { readForm } from '../../request-form.ts';
import { ENCRYPTED_REASONING, WIRE } from '../../shape.ts';

const merge = (name: string, ...members: readonly Readonly<JsonObject>[]): JsonObject => {
  const whole = omitUndefined(Object.assign({}, ...members) as JsonObject);
  return Object.keys(whole).length === 0 ? {} : { [name]: whole };
};

/** OpenAI needs a name for every schema. */
const SCHEMA_NAME = 'response';
const encodeOutput = (output: OutputFormat): JsonObject => {
  if (output.type === 'json') return { type: 'json_object' };
  const { name = SCHEMA_NAME, description, schema, strict } = output;
  return omitUndefined({ type: 'json_schema', name, description, schema, strict });
};

/** `text`: the format of the answer and how much of it, on top of what the client alone had a word for. */
export function encodeText({ output, verbosity }: GenerateRequest, extra: Readonly<JsonObject>): JsonObject {
  const own = readObject(extra['text']);
  const format = output === undefined ? {} : { format: { ...encodeOutput(output), ...readObject(own['format']) } };
  return merge('text', own, format, omitUndefined({ verbosity }));
}

/** `auto` is the summary for everyone; a client of this wire may have asked for another. */
export function encodeReasoning({ reasoning }: GenerateRequest, extra: Readonly<JsonObject>, lose: Lose): JsonObject {
  const own = readObject(extra['reasoning']);
  if (reasoning === undefined) return merge('reasoning', own);
  const { effort = reasoning.budget === 0 ? 'none' : undefined, budget, show } = reasoning;
  if (budget !== undefined && budget > 0)
    lose('reasoning.budget', 'dropped', 'responses takes an effort, not a number of tokens');
  return merge('reasoning', show === true ? { summary: 'auto' } : {}, own, omitUndefined({ effort }));
}

/**
 * Nothing is kept at the vendor unless the client asked for it. Reasoning then comes as a blob that can be given back, which is the only way a
 * conversation goes on, as it is for clients of other wires in any case. https://platform.openai.com/docs/guides/reasoning
 */
export function encodeStorage(
  { store, vendorState = [], wire }: GenerateRequest,
  extra: Readonly<JsonObject>,
): JsonObject {
  // Who works in the background comes back for what the vendor has kept.
  const kept = store ?? vendorState.includes('background');
  const wishes = readList(extra['include']);
  const include =
    (kept && wire === WIRE) || wishes.includes(ENCRYPTED_REASONING) ? wishes : [...wishes, ENCRYPTED_REASONING];
  return { store: kept, ...(include.length === 0 ? {} : { include }) };
}

/** OpenAI refuses fewer; a client of this wire is told so by OpenAI. */
const LEAST_TOKENS = 16;
export function encodeMaxTokens({ maxTokens, wire }: GenerateRequest, lose: Lose): number | undefined {
  if (maxTokens === undefined || maxTokens >= LEAST_TOKENS || wire === WIRE) return maxTokens;
  lose('max_tokens', 'approximated', `responses takes at least ${LEAST_TOKENS}`);
  return LEAST_TOKENS;
}

export function encodeUser(request: GenerateRequest, lose: Lose): JsonObject {
  const { user, wire } = request;
  if (user === undefined) return {};
  if (wire === WIRE) return readForm(request).user === true ? { user } : { safety_identifier: user };
  return { safety_identifier: shortenUser(user, lose) };
}

/** What this wire has no word for. */
const unsaid = ['topK', 'seed', 'presencePenalty', 'frequencyPenalty', 'stop'] as const;
const fieldOf: Readonly<Record<(typeof unsaid)[number], string>> = {
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
};
export function nameUnsaid(request: GenerateRequest, lose: Lose): void {
  for (const name of unsaid)
    if (request[name] !== undefined) lose(fieldOf[name], 'dropped', `responses has no ${fieldOf[name]}`);
  if (request.choices > 1) lose('n', 'dropped', 'responses gives one answer');
}
