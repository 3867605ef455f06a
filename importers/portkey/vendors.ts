import { vendorOfModel, vendors } from '../shared/vendors.ts';

/** Names of Portkey that differ from those of the shared list by more than a dash. */
const renamed: Readonly<Record<string, string>> = {
  'azure-openai': 'azure',
  google: 'gemini',
  huggingface: 'huggingface',
  'mistral-ai': 'mistral',
  'perplexity-ai': 'perplexity',
  'novita-ai': 'novita',
  'x-ai': 'xai',
  'z-ai': 'zai',
};

/** The name in the shared list. Unknown names are returned unchanged. */
export const sharedName = (provider: string): string => {
  const name = Object.hasOwn(renamed, provider) ? (renamed[provider] ?? provider) : provider.replaceAll('-', '_');
  return Object.hasOwn(vendors, name) ? name : provider;
};

/** Words of slugs, the most specific first: `azure-openai-eu` is Azure. */
const words: readonly (readonly [word: RegExp, vendor: string])[] = [
  [/azure/, 'azure'],
  [/vertex/, 'vertex-ai'],
  [/bedrock|aws/, 'bedrock'],
  [/anthropic|claude/, 'anthropic'],
  [/gemini|google/, 'gemini'],
  [/openrouter/, 'openrouter'],
  [/open-?ai|oai|gpt/, 'openai'],
  [/mistral/, 'mistral'],
  [/together/, 'together_ai'],
  [/fireworks/, 'fireworks_ai'],
  [/x-?ai|grok/, 'xai'],
  [/groq/, 'groq'],
  [/cohere/, 'cohere'],
  [/deepseek/, 'deepseek'],
  [/perplexity/, 'perplexity'],
  [/cerebras/, 'cerebras'],
];

/** The vendor behind a slug, which only Portkey stores: by its name, or else by the name of the model. */
export const guessVendor = (slug: string, model: string | undefined): string | undefined =>
  words.find(([word]) => word.test(slug.toLowerCase()))?.[1] ??
  (model === undefined ? undefined : model.startsWith('gemini-') ? 'gemini' : vendorOfModel(model));
