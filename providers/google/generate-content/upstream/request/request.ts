import type { GenerateRequest, Headers, JsonObject } from '../../../../../core/api/index.ts';
import { lookUp, type Lose, omitUndefined, readObject, writeExtraMembers } from '../../../../../core/api/codec.ts';
import { mergeMembers, nestPath } from '../../extra-members.ts';
import { WIRE } from '../../shape.ts';
import { encodeOutputFormat } from './output-format.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeSampling } from './sampling.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** Tiers of other wires as the three of this wire. `auto` is the default and is omitted. */
const tierOf: Readonly<Record<string, string>> = {
  priority: 'priority',
  fast: 'priority',
  flex: 'flex',
  default: 'standard',
  standard: 'standard',
  standard_only: 'standard',
};

const encodeTier = ({ serviceTier, wire }: GenerateRequest, lose: Lose): string | undefined => {
  if (serviceTier === undefined || wire === WIRE) return serviceTier;
  const tier = lookUp(tierOf, serviceTier);
  if (tier === undefined && serviceTier !== 'auto')
    lose('service_tier', 'dropped', `generate-content has no tier '${serviceTier}'`);
  return tier;
};

/** Names the canonical fields that the wire does not have. */
const loseUnsupported = ({ verbosity, user, cacheKey }: GenerateRequest, lose: Lose): void => {
  for (const [field, value] of Object.entries({ verbosity, user, prompt_cache_key: cacheKey })) {
    if (value !== undefined) lose(field, 'dropped', `generate-content has no ${field}`);
  }
};

/** `VALIDATED` is decoded as `AUTO`. It is restored if the model still has the choice. */
const composeToolConfig = (extra: Readonly<JsonObject>, choice: JsonObject | undefined): JsonObject | undefined => {
  const kept = readObject(extra['functionCallingConfig'])['mode'];
  const functionCallingConfig = choice?.['mode'] === 'AUTO' && kept !== undefined ? { ...choice, mode: kept } : choice;
  return mergeMembers(extra, { functionCallingConfig });
};

const encodeConfig = (request: GenerateRequest, lose: Lose): JsonObject =>
  omitUndefined({
    ...encodeSampling(request, lose),
    ...encodeOutputFormat(request.output, lose),
    thinkingConfig: encodeReasoning(request, lose),
  });

/** The path has the model, not the body: https://ai.google.dev/api/generate-content */
export function encodeRequest(
  request: GenerateRequest,
  _profile: unknown,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
  const { generationConfig, toolConfig, ...extra } = nestPath(
    nestPath(writeExtraMembers(request.extra, WIRE, lose), 'generationConfig'),
    'toolConfig',
  );
  const { system, contents } = encodeTurns(request, lose);
  const { tools, choice } = encodeTools(request, lose);
  loseUnsupported(request, lose);
  const body = omitUndefined({
    ...extra,
    contents,
    systemInstruction: system,
    tools,
    toolConfig: composeToolConfig(nestPath(readObject(toolConfig), 'functionCallingConfig'), choice),
    generationConfig: mergeMembers(
      nestPath(readObject(generationConfig), 'thinkingConfig'),
      encodeConfig(request, lose),
    ),
    serviceTier: encodeTier(request, lose),
    store: request.store,
  });
  return { body, headers: {} };
}
