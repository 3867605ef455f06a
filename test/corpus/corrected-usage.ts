import { isDeepStrictEqual } from 'node:util';
import { objectOf, type Json } from './bill/bill.ts';
import { sumUsage } from './answers/chat-answer.ts';

/** An object with up to two levels of objects in it. No text of a usage object has braces. */
const USAGE = /"usage":( ?)(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/g;

const detail = (usage: Json, member: string, name: string, count: number): Json => {
  const details = objectOf(usage[member]);
  return (details[name] ?? 0) === count ? {} : { [member]: { ...details, [name]: count } };
};

/** The total is the sum of input and output, which include the cached tokens and the reasoning. */
const correct = (usage: Json): Json => {
  const sums = sumUsage(JSON.stringify({ usage }));
  if (sums === undefined) return usage;
  const right = {
    ...usage,
    prompt_tokens: sums.input,
    completion_tokens: sums.output,
    total_tokens: sums.input + sums.output,
    ...detail(usage, 'prompt_tokens_details', 'cached_tokens', sums.cacheRead),
    ...detail(usage, 'completion_tokens_details', 'reasoning_tokens', sums.reasoning),
  };
  return isDeepStrictEqual(right, usage) ? usage : right;
};

/** A recording of chat completions with the figures that this wire promises, in the places of the vendor's. */
export const correctUsage = (text: string): string =>
  text.replaceAll(USAGE, (whole, space: string, written: string) => {
    const usage = objectOf(JSON.parse(written));
    const right = correct(usage);
    return right === usage ? whole : `"usage":${space}${JSON.stringify(right)}`;
  });
