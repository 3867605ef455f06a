import { isObject, lookUp, writeRest, type GenerateRequest, type Headers, type JsonObject, type Lose } from '../../../../core/index.ts';
import { selectPresent, WIRE } from '../shape.ts';
import { encodeSettings } from './settings.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** Tiers of other wires in this wire's three words; `auto` is to say none. */
const tierOf: Readonly<Record<string, string>> = { priority: 'priority', fast: 'priority', flex: 'flex', default: 'standard', standard: 'standard', standard_only: 'standard' };

const encodeTier = ({ serviceTier, wire }: GenerateRequest, lose: Lose): string | undefined => {
  if (serviceTier === undefined || wire === WIRE) return serviceTier;
  const tier = lookUp(tierOf, serviceTier);
  if (tier === undefined && serviceTier !== 'auto') lose('service_tier', 'dropped', `generate-content has no tier '${serviceTier}'`);
  return tier;
};

/** Canonical fields without a word on this wire. */
const loseUnspoken = ({ verbosity, user, cacheKey }: GenerateRequest, lose: Lose): void => {
  for (const [field, value] of Object.entries({ verbosity, user, prompt_cache_key: cacheKey })) {
    if (value !== undefined) lose(field, 'dropped', `generate-content has no ${field}`);
  }
};

/** Members nobody read and the known ones, in one object at every level; `undefined` when there is nothing in it. */
const compose = (rest: unknown, known: JsonObject): JsonObject | undefined => {
  const joined: JsonObject = { ...(isObject(rest) ? rest : {}) };
  for (const [name, value] of Object.entries(known)) {
    if (value !== undefined) joined[name] = isObject(value) && isObject(joined[name]) ? compose(joined[name], value) : value;
  }
  return Object.keys(joined).length === 0 ? undefined : joined;
};

/** The model stands in the path: https://ai.google.dev/api/generate-content */
export const encodeRequest = (request: GenerateRequest, _profile: unknown, lose: Lose): { readonly body: JsonObject; readonly headers: Headers } => {
  const { generationConfig, toolConfig, ...rest } = writeRest(request.rest, WIRE, lose);
  const { system, contents } = encodeTurns(request, lose);
  const { tools, choice } = encodeTools(request, lose);
  loseUnspoken(request, lose);
  const body = selectPresent({
    ...rest,
    contents,
    systemInstruction: system,
    tools,
    toolConfig: compose(toolConfig, { functionCallingConfig: choice }),
    generationConfig: compose(generationConfig, encodeSettings(request, lose)),
    serviceTier: encodeTier(request, lose),
    store: request.store,
  });
  return { body, headers: {} };
};
