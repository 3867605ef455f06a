import { inputTotal, type JsonObject, type Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, isObject, noTokens, readCount } from '../../../core/api/codec.ts';

export const usageMembers = defineKnownMembers({ total_tokens: true, prompt_tokens: true, completion_tokens: true });

/** Some servers send the total only. */
export const readUsage = (value: unknown): Usage | undefined =>
  isObject(value)
    ? {
        ...noTokens,
        inputUncached: readCount(value['total_tokens'] ?? value['prompt_tokens']),
        source: 'provider',
        raw: value,
      }
    : undefined;

export const writeUsage = (usage: Usage): JsonObject => {
  const tokens = inputTotal(usage);
  return { prompt_tokens: tokens, total_tokens: tokens };
};
