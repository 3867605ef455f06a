import { vendors } from '../shared/vendors.ts';

/** Names of Bifrost that differ from those of the shared list. */
const renamed: Readonly<Record<string, string>> = { fireworks: 'fireworks_ai', sgl: 'sglang' };

/** The name in the shared list. Unknown names are returned unchanged. */
export const sharedName = (provider: string): string =>
  Object.hasOwn(renamed, provider) ? (renamed[provider] ?? provider) : provider;

/** Servers that need no key. */
export const isLocal = (vendor: string): boolean => ['ollama', 'vllm', 'sglang'].includes(vendor);

/** What an address of Bifrost lacks: it ends before the version, except for those of Anthropic and Google. */
export const suffixOf = (vendor: string): string | undefined =>
  ['anthropic', 'gemini'].includes(vendor) ? undefined : (vendors[vendor]?.suffix ?? '/v1');
