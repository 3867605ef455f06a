import { isObject } from './members.ts';

/** What clients of any wire, and servers that speak one, call the most tokens an answer may have. */
const names = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tokens_to_sample', 'max_new_tokens', 'maxTokens', 'maxOutputTokens', 'n_predict', 'num_predict'] as const;
/** Where one wire has its settings. */
const holders = ['generationConfig', 'generation_config'] as const;

/** The decoder of a wire complains of wrong types where they matter; here they say nothing. */
const readCap = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? Math.ceil(value) : 0);

const largestIn = (members: unknown): number => (isObject(members) ? names.reduce((most, name) => Math.max(most, readCap(members[name])), 0) : 0);

/**
 * What a body declares beyond the cap that counts on its wire. A server that is sent the client's own bytes may heed another member than the gateway
 * does, so the largest that stands anywhere is what gets reserved.
 * @param cap what the wire's decoder read
 */
export const declareCap = (body: unknown, cap: number | undefined): { readonly declaredCap?: number } => {
  if (!isObject(body)) return {};
  const most = holders.reduce((most, holder) => Math.max(most, largestIn(body[holder])), largestIn(body));
  return most > (cap ?? 0) ? { declaredCap: most } : {};
};
