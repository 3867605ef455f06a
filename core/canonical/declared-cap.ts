import { isObject } from './json/members.ts';
import { isRawNumber } from './json/raw-number.ts';

/** The names of the output cap on any wire or server, in lower case, because some servers ignore case. */
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
/** The member in which generate-content has its settings. */
const holders = ['generationConfig', 'generation_config'] as const;

/** Wrong types are ignored here: the decoder refuses them where they matter. */
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
 * Finds an output cap above the one that its wire uses. A server that gets the client's bytes could use another member
 * than the gateway does, so the largest cap in any of them is reserved.
 * @param cap what the wire's decoder read
 */
export function declareCap(body: unknown, cap: number | undefined): { readonly declaredCap?: number } {
  if (!isObject(body)) return {};
  const most = holders.reduce((most, holder) => Math.max(most, largestIn(body[holder])), largestIn(body));
  return most > (cap ?? 0) ? { declaredCap: most } : {};
}
