import type { WireName } from '../canonical/wire.ts';

/** What a fit may have to name, in the words of the chat wire. */
const chatNames = {
  conversation: 'messages',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelTools: 'parallel_tool_calls',
  output: 'response_format',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  choices: 'n',
  effort: 'reasoning_effort',
  budget: 'reasoning.max_tokens',
  cache: 'prompt_cache_breakpoint',
} as const;

type Field = keyof typeof chatNames;

/** Where a wire has another word. A wire without an entry is named in the words of chat. */
const otherNames: Readonly<Record<string, Partial<Record<Field, string>>>> = {
  messages: {
    parallelTools: 'tool_choice.disable_parallel_tool_use',
    output: 'output_config.format',
    stop: 'stop_sequences',
    effort: 'output_config.effort',
    budget: 'thinking.budget_tokens',
    cache: 'cache_control',
  },
  responses: {
    conversation: 'input',
    output: 'text.format',
    maxTokens: 'max_output_tokens',
    effort: 'reasoning.effort',
    budget: 'reasoning',
  },
  'generate-content': {
    conversation: 'contents',
    toolChoice: 'toolConfig.functionCallingConfig',
    output: 'generationConfig.responseMimeType',
    maxTokens: 'generationConfig.maxOutputTokens',
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    stop: 'generationConfig.stopSequences',
    choices: 'generationConfig.candidateCount',
    effort: 'generationConfig.thinkingConfig.thinkingLevel',
    budget: 'generationConfig.thinkingConfig.thinkingBudget',
  },
};

/** The name under which the client wrote a field: losses and errors speak of the client's own request, not of the canonical form. */
export const describeField = (wire: WireName, field: Field): string => otherNames[wire]?.[field] ?? chatNames[field];
