import { parseExactJson } from '../../../core/index.ts';

/** As deep as a body may be: writing deeper values overflows the stack. */
const MAX_DEPTH = 120;

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/** The value of a JSON text that may stand inside a body; `undefined` for a text that is none, or too deep for it. */
export function parseShallow(text: string): unknown {
  const value = parseExactJson(text);
  return isDeeper(value, MAX_DEPTH) ? undefined : value;
}
