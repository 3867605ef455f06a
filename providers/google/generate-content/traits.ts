import type { WireTraits } from '../../../core/api/codec.ts';
import { places } from './places.ts';

/** https://ai.google.dev/api/generate-content */
export const traits: WireTraits = {
  fieldNames: {
    conversation: 'contents',
    parts: 'parts',
    toolChoice: 'toolConfig.functionCallingConfig',
    output: 'generationConfig.responseMimeType',
    maxTokens: 'generationConfig.maxOutputTokens',
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    seed: 'generationConfig.seed',
    presencePenalty: 'generationConfig.presencePenalty',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    stop: 'generationConfig.stopSequences',
    choices: 'generationConfig.candidateCount',
    effort: 'generationConfig.thinkingConfig.thinkingLevel',
    budget: 'generationConfig.thinkingConfig.thinkingBudget',
    show: 'generationConfig.thinkingConfig.includeThoughts',
    reasoning: 'generationConfig.thinkingConfig',
    serviceTier: 'serviceTier',
  },
  places,
  omitsEmptyTurns: true,
  otherNames: {
    responseMimeType: ['responseSchema', 'responseJsonSchema', 'responseFormat'],
    failed: ['functionResponse.response.error'],
    content: ['functionResponse.parts', 'parts.functionResponse.parts'],
    parts: ['functionResponse.parts'],
    input: ['functionCall.args'],
    name: ['inlineData.displayName', 'fileData.displayName'],
    reasoning: ['parts.thought'],
    signature: ['thoughtSignature', 'parts.thoughtSignature'],
  },
  // The maximum of Gemini 2.5 Flash. 2.5 Pro declares its higher one:
  // https://ai.google.dev/gemini-api/docs/thinking#set-budget
  usualMaxBudget: 24_576,
};
