import { isObject } from './json/members.ts';
import { isRawNumber } from './json/raw-number.ts';

/** What clients of any wire, and servers that speak one, call the most tokens an answer may have. In small letters: some servers tell no case apart. */
const names: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens_to_sample',
  'max_new_tokens',
  'maxtokens',
  'maxoutputtokens',
  'n_predict',
  'num_predict',
]);
/** Where one wire has its settings. */
const holders = ['generationConfig', 'generation_config'] as const;

/** The decoder of a wire complains of wrong types where they matter; here they say nothing. */
const readCap = (value: unknown): number => {
  const cap = isRawNumber(value) ? Number(value.rawJSON) : value;
  return typeof cap === 'number' && cap > 0 ? Math.min(Math.ceil(cap), Number.MAX_SAFE_INTEGER) : 0;
};

const largestIn = (members: unknown): number => {
  let most = 0;
  if (isObject(members))
    for (const name of Object.keys(members))
      if (names.has(name.toLowerCase())) most = Math.max(most, readCap(members[name]));
  return most;
};

/**
 * What a body declares beyond the cap that counts on its wire. A server that is sent the client's own bytes may heed another member than the gateway
 * does, so the largest that stands anywhere is what gets reserved.
 * @param cap what the wire's decoder read
 */
export function declareCap(body: unknown, cap: number | undefined): { readonly declaredCap?: number } {
  if (!isObject(body)) return {};
  const most = holders.reduce((most, holder) => Math.max(most, largestIn(body[holder])), largestIn(body));
  return most > (cap ?? 0) ? { declaredCap: most } : {};
}
