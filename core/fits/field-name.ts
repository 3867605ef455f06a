import { lookUp } from '../canonical/look-up.ts';
import type { WireName } from '../canonical/wire.ts';

/** What may have to be named, in the words of the chat wire. */
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
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
  choices: 'n',
  effort: 'reasoning_effort',
  budget: 'reasoning.max_tokens',
  show: 'reasoning.exclude',
  reasoning: 'reasoning',
  verbosity: 'verbosity',
  user: 'user',
  serviceTier: 'service_tier',
  cacheKey: 'prompt_cache_key',
  store: 'store',
  cache: 'prompt_cache_breakpoint',
} as const;

type Field = keyof typeof chatNames;
type Names = Readonly<Partial<Record<Field, string>>>;

/** Where a wire has another word. A wire without an entry is named in the words of chat. */
const otherNames: Readonly<Record<string, Names>> = {
  messages: {
    parallelTools: 'tool_choice.disable_parallel_tool_use',
    output: 'output_config.format',
    stop: 'stop_sequences',
    effort: 'output_config.effort',
    budget: 'thinking.budget_tokens',
    show: 'thinking.display',
    reasoning: 'thinking',
    user: 'metadata.user_id',
    cache: 'cache_control',
  },
  responses: {
    conversation: 'input',
    output: 'text.format',
    maxTokens: 'max_output_tokens',
    effort: 'reasoning.effort',
    budget: 'reasoning',
    show: 'reasoning.summary',
    verbosity: 'text.verbosity',
  },
  'generate-content': {
    conversation: 'contents',
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
};

/** The name under which the client wrote a field: losses and errors speak of the client's own request, not of the canonical form. */
export const describeField = (wire: WireName, field: Field): string => lookUp(otherNames, wire)?.[field] ?? chatNames[field];

/** Members of the canonical form that are called otherwise than the field. */
const canonicalNames: Names = { budget: 'reasoning.budget', show: 'reasoning.show' };

/** Every word for a field, of whatever wire, and the canonical name; where two wires mean different things by one word, chat's meaning holds. */
const fieldsByWord: ReadonlyMap<string, Field> = (() => {
  const words = new Map<string, Field>();
  const add = (names: Names): void => {
    for (const [field, word] of Object.entries(names) as [Field, string][]) if (!words.has(word)) words.set(word, field);
  };
  add(chatNames);
  for (const names of [...Object.values(otherNames), canonicalNames]) add(names);
  for (const field of Object.keys(chatNames) as Field[]) if (!words.has(field)) words.set(field, field);
  return words;
})();

/** No known word is longer. A name may be as long as the body: only its beginning is looked up. */
const LONGEST_WORD = Math.max(...[...fieldsByWord.keys()].map(({ length }) => length));

/** The last `.` or `[` before `end`; 0 where there is none. */
const findStep = (name: string, end: number): number => Math.max(0, name.lastIndexOf('.', end - 1), name.lastIndexOf('[', end - 1));

/**
 * A name that a writer gave, in the words of the client: the longest known beginning is exchanged for the client's own word. Members that only
 * one wire has keep their name.
 */
export const translateField = (wire: WireName, name: string): string => {
  const longest = name.length <= LONGEST_WORD ? name.length : findStep(name, LONGEST_WORD + 1);
  for (let end = longest; end > 0; end = findStep(name, end)) {
    const field = fieldsByWord.get(name.slice(0, end));
    if (field !== undefined) return describeField(wire, field) + name.slice(end);
  }
  return name;
};
