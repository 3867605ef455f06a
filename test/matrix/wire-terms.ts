import type { Json, Tokens, Wire } from './wires.ts';

/** Why a response ended, independent of the wire. */
export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_calls' | 'content_filter';

/** The finish reason as each SDK shows it. Responses has a status and, if that is `incomplete`, a reason. */
export const finishReasons: Readonly<Record<Wire, Readonly<Record<Finish, string>>>> = {
  chat: {
    stop: 'stop',
    stop_sequence: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    content_filter: 'content_filter',
  },
  messages: {
    stop: 'end_turn',
    stop_sequence: 'stop_sequence',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
  },
  responses: {
    stop: 'completed',
    stop_sequence: 'completed',
    length: 'incomplete: max_output_tokens',
    tool_calls: 'completed',
    content_filter: 'incomplete: content_filter',
  },
  google: { stop: 'STOP', stop_sequence: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', content_filter: 'SAFETY' },
};

/** Google omits counts of zero. */
const unlessZero = (count: number): number | undefined => (count === 0 ? undefined : count);

/** Usage as each SDK shows it. Totals are sums. */
export const usageShapes: Readonly<Record<Wire, (tokens: Tokens) => Json>> = {
  chat: ({ fresh, read, write, output, reasoning }) => {
    const prompt = fresh + read + write;
    return { prompt, completion: output, total: prompt + output, cached: read, written: write, reasoning };
  },
  messages: ({ fresh, read, write, output, reasoning }) => ({
    input: fresh,
    written: write,
    read,
    output,
    thinking: reasoning,
  }),
  responses: ({ fresh, read, write, output, reasoning }) => {
    const input = fresh + read + write;
    return { input, output, total: input + output, cached: read, written: write, reasoning };
  },
  google: ({ fresh, read, write, output, reasoning }) => {
    const prompt = fresh + read + write;
    return {
      prompt,
      candidates: output - reasoning,
      total: prompt + output,
      cached: unlessZero(read),
      thoughts: unlessZero(reasoning),
    };
  },
};

/** The tokens that a vendor of this wire can report: Google has no count of cache writes. */
export const reportedTokens = (wire: Wire, tokens: Tokens): Tokens =>
  wire === 'google' ? { ...tokens, fresh: tokens.fresh + tokens.write, write: 0 } : tokens;
