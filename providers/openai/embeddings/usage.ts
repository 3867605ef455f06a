import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, isObject, noTokens, readCount, readObject, readParts } from '../../../core/api/codec.ts';
import { readReportedCost } from '../usage-units.ts';
import { reportedCosts } from '../chat-completions/usage-members.ts';

export const usageMembers = defineKnownMembers({
  prompt_tokens: true,
  prompt_tokens_details: { text_tokens: true, audio_tokens: true, image_tokens: true, video_tokens: true },
  completion_tokens: true,
  total_tokens: true,
  service_tier: true,
  prompt_audio_seconds: true,
  ...reportedCosts,
});

/** `undefined` when the value is not an object. Some servers send the total only. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const inputUncached = readCount(value['prompt_tokens'] ?? value['total_tokens']);
  const { audio_tokens: audio, image_tokens: image, video_tokens: video } = readObject(value['prompt_tokens_details']);
  const seconds = readCount(value['prompt_audio_seconds']);
  const { service_tier: tier } = value;
  return {
    ...noTokens,
    inputUncached,
    ...readParts(inputUncached, { inputAudio: audio, inputImage: image, inputVideo: video }),
    ...(seconds > 0 ? { units: { seconds } } : {}),
    ...(typeof tier === 'string' && tier !== '' ? { tier } : {}),
    ...(value['cost'] === undefined && value['cost_in_usd_ticks'] === undefined ? {} : readReportedCost(value)),
    source: 'provider',
    raw: value,
  };
}

/** Clients require both members, so a missing count is estimated. */
export function writeUsage(usage: Usage | undefined, inputEstimate: number): JsonObject {
  const tokens = usage === undefined ? inputEstimate : inputTotal(usage);
  return { prompt_tokens: tokens, total_tokens: tokens };
}
