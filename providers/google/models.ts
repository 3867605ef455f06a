import type { Capabilities, EndpointWire, ModelFamily } from '../../core/api/index.ts';

/** What each generation added, oldest first: https://ai.google.dev/gemini-api/docs/models */
const gemini: Capabilities = { vision: true, documents: true, audio: true };

/**
 * The search does not go together with functions. From 3 on it does, if the client sends the parts of the search back,
 * which other wires do not have. https://ai.google.dev/gemini-api/docs/google-search
 */
const searching: Capabilities = { webSearch: 'without-tools' };

/** No thinking, no media by URL, no JSON output together with tools. */
const gemini1: Capabilities = {
  ...gemini,
  thinking: 'none',
  efforts: [],
  jsonWithTools: false,
  mediaUrls: false,
  maxOutput: 8_192,
  contextTokens: 1_048_576,
};

/** Thinking has a budget in tokens: https://ai.google.dev/gemini-api/docs/thinking#set-budget */
const gemini25: Capabilities = {
  ...gemini,
  ...searching,
  thinking: 'budget',
  jsonWithTools: false,
  mediaUrls: false,
  maxOutput: 65_536,
  contextTokens: 1_048_576,
};
const pro25: Capabilities = { ...gemini25, minBudget: 128, maxBudget: 32_768, thinkingOff: false };
const flash25: Capabilities = { ...gemini25, minBudget: 1, maxBudget: 24_576 };
const flashLite25: Capabilities = { ...gemini25, minBudget: 512, maxBudget: 24_576 };
const textToSpeech: Capabilities = { ...gemini1, mediaOutput: true, audio: false, vision: false, documents: false };

/**
 * Thinking has a level and cannot be turned off: https://ai.google.dev/gemini-api/docs/thinking#levels. "Logprobs is not
 * supported for this model": https://github.com/GoogleCloudPlatform/generative-ai/issues/2947
 */
const gemini3: Capabilities = {
  ...gemini,
  ...searching,
  logprobs: false,
  thinking: 'adaptive',
  thinkingOff: false,
  efforts: ['low', 'medium', 'high'],
  maxOutput: 65_536,
  contextTokens: 1_048_576,
};
const pro3: Capabilities = { ...gemini3, efforts: ['low', 'high'] };
const flash3: Capabilities = { ...gemini3, efforts: ['minimal', 'low', 'medium', 'high'] };
/** https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/omni-flash-preview */
const omni: Capabilities = { vision: true, video: true, documents: false, audio: false, mediaOutput: true };
const image25: Capabilities = { ...gemini1, mediaOutput: true };
const image3: Capabilities = { ...gemini3, webSearch: false, efforts: [], thinking: 'none', mediaOutput: true };

/** Open models: no thinking, no audio, and no system instruction; the provider moves it into the first turn. */
const gemma: Capabilities = { thinking: 'none', efforts: [], audio: false };

const family = (capabilities: Capabilities, ...prefixes: readonly string[]): readonly ModelFamily[] =>
  prefixes.map((prefix) => ({ prefix, capabilities }));

/** By the vendor's model ids. A dated preview matches its family. */
export const googleModels: readonly ModelFamily[] = [
  ...family(gemini, 'gemini-'),
  ...family(omni, 'gemini-omni'),
  ...family(gemini1, 'gemini-1.5'),
  ...family({ ...gemini1, ...searching }, 'gemini-2.0'),
  ...family(image25, 'gemini-2.5-flash-image'),
  ...family(textToSpeech, 'gemini-2.5-flash-preview-tts', 'gemini-2.5-pro-preview-tts', 'gemini-3.1-flash-tts'),
  ...family(pro25, 'gemini-2.5-pro'),
  ...family(flash25, 'gemini-2.5-flash'),
  ...family(flashLite25, 'gemini-2.5-flash-lite'),
  ...family(gemini3, 'gemini-3', 'gemini-4'),
  ...family(pro3, 'gemini-3-pro'),
  ...family(image3, 'gemini-3-pro-image', 'gemini-3.1-flash-lite-image', 'gemini-3.1-flash-image'),
  ...family(flash3, 'gemini-3-flash', 'gemini-3.1-flash', 'gemini-3.5-flash', 'gemini-3.6-flash'),
  ...family(gemma, 'gemma-'),
];

/**
 * The generation of a Gemini model, e.g. 2.5; `undefined` for other models and for names without one
 * (`gemini-flash-latest`).
 */
export function readGeneration(model: string): number | undefined {
  const [, generation] = /^(?:models\/)?gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return generation === undefined ? undefined : Number(generation);
}

/**
 * The models at the Gemini API, which refuses log probabilities from Gemini 2.5 on: "Logprobs is not enabled for this
 * model". https://github.com/vercel/ai/issues/5418
 */
export const apiModels: readonly ModelFamily[] = googleModels.map(({ prefix, capabilities }) =>
  (readGeneration(prefix) ?? 3) < 2.5
    ? { prefix, capabilities }
    : { prefix, capabilities: { ...capabilities, logprobs: false } },
);

/**
 * Before Gemini 3, a prompt with searches is billed once; from then on each search is billed.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing, https://cloud.google.com/vertex-ai/generative-ai/pricing
 */
export const billingOf = (model: string): Pick<EndpointWire, 'billsOneSearch'> =>
  (readGeneration(model) ?? 3) < 3 ? { billsOneSearch: true } : {};

/** The API of interactions begins with Gemini 2.5: https://ai.google.dev/gemini-api/docs/interactions */
export const hasInteractions = (model: string): boolean => (readGeneration(model) ?? 2.5) >= 2.5;

/**
 * Models without any other API, to which Google says so: "This model only supports Interactions API."
 * https://github.com/TanStack/ai/issues/871, https://github.com/BerriAI/litellm/pull/38229
 */
export const needsInteractions = (model: string): boolean => /(?:^|\/)gemini-omni-/.test(model);

export const isGemma = (model: string): boolean => /^(?:models\/)?gemma-/.test(model);

/** The resource name of a model in paths and bodies: with its collection (`tunedModels/…`), `models` by default. */
export const resourceName = (model: string): string =>
  /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
