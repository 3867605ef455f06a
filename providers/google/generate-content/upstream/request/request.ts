import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined, readObject, writeExtraMembers } from '../../../../../core/api/codec.ts';
import { mergeMembers, nestPath } from '../../extra-members.ts';
import { WIRE } from '../../shape.ts';
import { encodeTier } from '../../../settings.ts';
import { encodeConfig } from './config.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

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

/** The path has the model, not the body: https://ai.google.dev/api/generate-content */
export function encodeRequest(request: GenerateRequest, _profile: unknown, lose: Lose) {
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
    serviceTier: encodeTier(request, WIRE, lose),
    store: request.store,
  });
  return { body, headers: {} };
}
