import type { Capabilities, ModelFamily } from '../../core/api/index.ts';

/** Models that do not reason; they take sampling parameters. https://platform.openai.com/docs/models */
const plain: Capabilities = { efforts: [], thinking: 'none', prefill: false, customTools: false, audio: false };
const seeing: Capabilities = { ...plain, vision: true };
const blind: Capabilities = { ...plain, vision: false, documents: false };

/** Models that reason refuse sampling parameters and log probabilities while they do. */
const reasoning: Capabilities = {
  thinking: 'adaptive',
  sampling: false,
  logprobs: false,
  prefill: false,
  vision: true,
  audio: false,
};
/** https://platform.openai.com/docs/guides/tools-web-search */
const searching: Capabilities = { ...seeing, webSearch: true };
const older: Capabilities = {
  ...reasoning,
  efforts: ['low', 'medium', 'high'],
  thinkingOff: false,
  customTools: false,
  contextTokens: 200_000,
  maxOutput: 100_000,
};
const five: Capabilities = { ...reasoning, webSearch: true, contextTokens: 400_000, maxOutput: 128_000 };

const upToHigh = ['low', 'medium', 'high'] as const;
const upToMax = [...upToHigh, 'xhigh', 'max'] as const;
const withXhigh: Capabilities = { ...reasoning, webSearch: true, efforts: ['none', ...upToHigh, 'xhigh'] };
/** From 5.6 on, requests can mark what to cache: https://platform.openai.com/docs/guides/prompt-caching */
const marked: Capabilities = { ...reasoning, webSearch: true, cacheMarks: ['30m', '12h'] };
const six: Capabilities = { ...marked, efforts: upToMax, thinkingOff: false };
const sixWithNone: Capabilities = { ...marked, efforts: ['none', ...upToMax] };

/** Limits of the larger models from 5.4 on. Models without limits on the vendor's pages have none here. */
const wide = { contextTokens: 1_050_000, maxOutput: 128_000 } as const;

/** Models that always reason at length. */
const pro: Capabilities = { ...five, efforts: ['medium', 'high', 'xhigh'], thinkingOff: false };
const research: Capabilities = { ...older, webSearch: true, efforts: ['medium'] };

/** The longest prefix wins, so dated snapshots and sizes belong to their family. */
export const openAiModels: readonly ModelFamily[] = [
  { prefix: 'gpt-3.5', capabilities: { ...blind, schema: false, contextTokens: 16_385, maxOutput: 4_096 } },
  { prefix: 'gpt-4', capabilities: { ...blind, schema: false, json: false, contextTokens: 8_192, maxOutput: 8_192 } },
  {
    prefix: 'gpt-4-vision',
    capabilities: { ...seeing, schema: false, json: false, contextTokens: 128_000, maxOutput: 4_096 },
  },
  { prefix: 'gpt-4-turbo', capabilities: { ...seeing, schema: false, contextTokens: 128_000, maxOutput: 4_096 } },
  { prefix: 'gpt-4o', capabilities: { ...searching, contextTokens: 128_000, maxOutput: 16_384 } },
  {
    prefix: 'gpt-4o-audio',
    capabilities: { ...blind, audio: true, schema: false, contextTokens: 128_000, maxOutput: 16_384 },
  },
  { prefix: 'gpt-4o-mini-tts', capabilities: { ...blind, schema: false } },
  { prefix: 'gpt-4.1', capabilities: { ...searching, contextTokens: 1_047_576, maxOutput: 32_768 } },
  { prefix: 'gpt-4.1-nano', capabilities: { ...seeing, contextTokens: 1_047_576, maxOutput: 32_768 } },
  { prefix: 'computer-use-preview', capabilities: { ...older, contextTokens: 8_192, maxOutput: 1_024 } },
  { prefix: 'o1', capabilities: older },
  { prefix: 'o3', capabilities: { ...older, webSearch: true, stop: false } },
  { prefix: 'o3-mini', capabilities: { ...older, stop: false, vision: false, documents: false } },
  { prefix: 'o3-deep-research', capabilities: research },
  { prefix: 'o4-mini', capabilities: { ...older, webSearch: true, stop: false } },
  { prefix: 'o4-mini-deep-research', capabilities: research },
  { prefix: 'gpt-5', capabilities: { ...five, efforts: ['minimal', ...upToHigh], thinkingOff: false } },
  { prefix: 'gpt-5-codex', capabilities: { ...five, efforts: upToHigh, thinkingOff: false } },
  { prefix: 'gpt-5-pro', capabilities: { ...five, efforts: ['high'], thinkingOff: false, maxOutput: 272_000 } },
  { prefix: 'gpt-5.1', capabilities: { ...five, efforts: ['none', ...upToHigh] } },
  { prefix: 'gpt-5.1-codex', capabilities: { ...five, efforts: upToHigh, thinkingOff: false } },
  { prefix: 'gpt-5.1-codex-max', capabilities: { ...five, efforts: ['none', ...upToHigh, 'xhigh'] } },
  { prefix: 'gpt-5.2', capabilities: { ...five, efforts: ['none', ...upToHigh, 'xhigh'] } },
  { prefix: 'gpt-5.2-pro', capabilities: pro },
  { prefix: 'gpt-5.3', capabilities: withXhigh },
  { prefix: 'gpt-5.4', capabilities: { ...withXhigh, ...wide } },
  { prefix: 'gpt-5.4-mini', capabilities: { ...withXhigh, contextTokens: 400_000, maxOutput: 128_000 } },
  { prefix: 'gpt-5.4-nano', capabilities: withXhigh },
  { prefix: 'gpt-5.4-pro', capabilities: withXhigh },
  { prefix: 'gpt-5.5', capabilities: { ...withXhigh, ...wide } },
  { prefix: 'gpt-5.5-pro', capabilities: { ...pro, ...wide } },
  { prefix: 'gpt-5.5-cyber', capabilities: withXhigh },
  { prefix: 'gpt-5.6', capabilities: sixWithNone },
  ...['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna'].map((prefix) => ({
    prefix,
    capabilities: { ...sixWithNone, ...wide },
  })),
  { prefix: 'gpt-6', capabilities: six },
  ...['gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-astra', 'gpt-6.2-sol'].map((prefix) => ({
    prefix,
    capabilities: { ...six, ...wide },
  })),
  ...['gpt-6-sol', 'gpt-6-luna', 'gpt-6.1-terra'].map((prefix) => ({
    prefix,
    capabilities: { ...sixWithNone, ...wide },
  })),
];

const findCapabilities = (model: string): Capabilities => {
  const known = openAiModels
    .filter(({ prefix }) => model.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return known[0]?.capabilities ?? {};
};

/** Whether the model is known to reason. */
export const isReasoning = (model: string): boolean => (findCapabilities(model).efforts ?? []).length > 0;
/** Whether the model is known not to reason. */
export const neverReasons = (model: string): boolean => findCapabilities(model).thinking === 'none';
/** Whether the model accepts the effort `none`. */
export const canTurnReasoningOff = (model: string): boolean =>
  findCapabilities(model).efforts?.includes('none') === true;

/** Models that search the web on chat completions, before every response. Others search on responses only. */
export const searchesOnChat = (model: string): boolean => /-search-(?:preview|api)/.test(model);

/** Models that chat completions does not serve: the SDK's list of all models without its list of chat models. */
const responsesOnly = [
  /^o[13]-pro/,
  /^(?:o3|o4-mini)-deep-research/,
  /^computer-use-preview/,
  /^gpt-5-(?:codex|pro)/,
  /^gpt-5\.1-codex-max/,
  /^gpt-5\.5-pro/,
  /^gpt-daybreak/,
  /^gpt-[\d.]+-cyber/,
  /^gpt-(?:[\d.]+-)?rosalind/,
];
export const isResponsesOnly = (model: string): boolean => responsesOnly.some((pattern) => pattern.test(model));

/** Models that complete a text and do not chat: https://platform.openai.com/docs/models/gpt-3.5-turbo-instruct */
export const isCompletionsOnly = (model: string): boolean => /^(?:babbage|davinci)-002|-instruct(?:-|$)/.test(model);

/**
 * Families that refuse function tools on the chat wire while they reason: some when the request has an effort, others
 * also without one, because they reason by default. https://platform.openai.com/docs/guides/latest-model
 */
const refusing = { withEffort: ['gpt-5.4', 'gpt-5.5'], always: ['gpt-5.6', 'gpt-6'] } as const;

/**
 * @returns a test whether the model refuses tools on the chat wire at an effort (`undefined`: the request has none), or
 * `undefined` for a model that never refuses them
 */
export function selectRefusal(model: string): ((effort: string | undefined) => boolean) | undefined {
  if (refusing.always.some((prefix) => model.startsWith(prefix))) return (effort) => effort !== 'none';
  if (refusing.withEffort.some((prefix) => model.startsWith(prefix)))
    return (effort) => effort !== undefined && effort !== 'none';
  return undefined;
}
