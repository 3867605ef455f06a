import type { Capabilities } from '../../../core/api/index.ts';
import { schemaDialects, type WireTraits } from '../../../core/api/codec.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const traits: WireTraits = {
  fieldNames: {
    tools: 'toolConfig.tools',
    toolChoice: 'toolConfig.toolChoice',
    output: 'outputConfig.textFormat',
    maxTokens: 'inferenceConfig.maxTokens',
    temperature: 'inferenceConfig.temperature',
    topP: 'inferenceConfig.topP',
    topK: 'additionalModelRequestFields.top_k',
    stop: 'inferenceConfig.stopSequences',
    budget: 'additionalModelRequestFields.thinking.budget_tokens',
    serviceTier: 'serviceTier.type',
    cache: 'cachePoint',
  },
  omitsEmptyTurns: true,
  strictThinking: true,
  requiresDeclaredTools: true,
  cacheMarksOnTools: true,
  schemas: schemaDialects.converse,
};

/** What the wire cannot express, whatever the model. */
export const limits: Capabilities = {
  choices: false,
  json: false,
  customTools: false,
  midSystem: false,
  mediaUrls: false,
  audio: false,
  maxTemperature: 1,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};
