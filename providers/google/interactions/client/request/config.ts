import type { GenerateRequest, JsonObject } from '../../../../../core/api/index.ts';
import { type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { prefixPaths } from '../../../generate-content/extra-members.ts';
import { decodeToolChoice } from './tools.ts';

const decodeSampling = (config: Members): Partial<GenerateRequest> => {
  const stop = config.strings('stop_sequences');
  return {
    maxTokens: config.number('max_output_tokens', { integer: true, above: 0 }),
    temperature: config.number('temperature', { min: 0, max: 2 }),
    topP: config.number('top_p', { min: 0, max: 1 }),
    seed: config.number('seed', { integer: true }),
    stop: stop?.length === 0 ? undefined : stop,
  };
};

/**
 * `generation_config`, with its members that have no canonical one by their full path. Summaries of thoughts are hidden
 * unless the client asks for them: the vendor's default.
 * https://ai.google.dev/gemini-api/docs/interactions/thinking
 */
export function decodeConfig(body: Members): {
  readonly settings: Partial<GenerateRequest>;
  readonly extra: JsonObject;
} {
  const config = body.object('generation_config');
  if (config === undefined) return { settings: { reasoning: { show: false } }, extra: {} };
  const sampling = decodeSampling(config);
  const effort = config.string('thinking_level')?.toLowerCase();
  const show = config.string('thinking_summaries')?.toLowerCase() === 'auto';
  const { toolChoice, kept } = decodeToolChoice(config);
  const others = { ...config.unread(), ...(kept === undefined ? {} : { tool_choice: kept }) };
  return {
    settings: omitUndefined({
      ...sampling,
      toolChoice,
      reasoning: { ...(effort === undefined ? {} : { effort }), show },
    }),
    extra: prefixPaths('generation_config', others),
  };
}
