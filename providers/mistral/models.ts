import type { Capabilities, ModelFamily } from '../../core/api/index.ts';

/** https://docs.mistral.ai/models/overview */
const all: Capabilities = { customTools: false, video: false };
const text: Capabilities = { ...all, thinking: 'none', efforts: [] };
/** `reasoning_effort` is `none` or `high`. */
const adjustable: Capabilities = { ...all, efforts: ['high'], thinksUnasked: false };
const withImages: Capabilities = { ...text, vision: true, documents: true, audio: false };

const family = (capabilities: Capabilities, ...prefixes: readonly string[]): readonly ModelFamily[] =>
  prefixes.map((prefix) => ({ prefix, capabilities }));

export const families: readonly ModelFamily[] = [
  ...family(all, ''),
  ...family({ ...adjustable, vision: true, audio: false, contextTokens: 262_144 }, 'mistral-small-2603'),
  ...family({ ...adjustable, vision: true, audio: false }, 'mistral-small-latest', 'mistral-medium-3-5'),
  ...family({ ...adjustable, vision: true, audio: false }, 'mistral-medium-latest'),
  ...family({ ...all, efforts: [], thinkingOff: false, audio: false }, 'magistral'),
  ...family({ ...withImages, contextTokens: 262_144 }, 'mistral-large-2512', 'ministral-14b-2512', 'ministral-8b-2512'),
  ...family({ ...withImages, contextTokens: 131_072 }, 'ministral-3b-2512'),
  ...family(withImages, 'pixtral', 'mistral-small-2506', 'mistral-small-2503', 'mistral-medium-2508'),
  ...family({ ...text, vision: false, audio: false, contextTokens: 256_000 }, 'codestral'),
  ...family({ ...text, vision: false, audio: false, contextTokens: 262_144 }, 'devstral'),
  ...family({ ...text, vision: false }, 'voxtral'),
  ...family({ ...text, vision: false, audio: false }, 'open-mistral', 'open-mixtral', 'mistral-tiny', 'mistral-saba'),
];

/** Whether the model can get its own earlier reasoning. Other models refuse such a block. */
export const takesReasoning = (model: string): boolean =>
  /^(?:magistral|mistral-(?:small|medium)-(?:latest|2603|3-5))/.test(model);
