import type { JsonObject, Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, noTokens, readCount } from '../../../core/api/codec.ts';

/** The usage stands beside the message, in the last line of a stream. The durations cost nothing. */
export const usageMembers = defineKnownMembers({ prompt_eval_count: true, eval_count: true });

/**
 * Reasoning is part of `eval_count`. A prompt that is cached as a whole has no count in some versions. Undefined
 * without any count above 0: the usage is estimated then, for the client as well.
 */
export function readUsage(line: Readonly<JsonObject>): Usage | undefined {
  const { prompt_eval_count: input, eval_count: output } = line;
  if (readCount(input) === 0 && readCount(output) === 0) return undefined;
  return {
    ...noTokens,
    inputUncached: readCount(input),
    output: readCount(output),
    source: 'provider',
    raw: { prompt_eval_count: input, eval_count: output },
  };
}
