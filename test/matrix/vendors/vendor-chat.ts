import type { Json, Tokens } from '../wires.ts';

/** A response of a chat-completions vendor. */
export interface ChatVendorAnswer {
  /** The members of `message` without its role. */
  readonly message: Json & {
    readonly content?: string | null;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly ChatCall[];
  };
  readonly finish: string;
  /** The tokens of the content. */
  readonly logprobs?: readonly Json[];
  /** The whole stream, to replace the one made from `message`. */
  readonly deltas?: readonly Json[];
}
export interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** A call of a custom tool: its arguments are a text. */
  readonly isCustom?: boolean;
}

export const chatUsage = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  prompt_tokens: fresh + read + write,
  completion_tokens: output,
  total_tokens: fresh + read + write + output,
  prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

const head = { id: 'chatcmpl-vendor', created: 1_763_000_000, model: 'vendor-chat' };
const callOf = ({ id, name, arguments: text, isCustom }: ChatCall): Json =>
  isCustom === true
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } };

const messageOf = ({ tool_calls: calls, ...message }: ChatVendorAnswer['message']): Json => ({
  role: 'assistant',
  content: null,
  ...message,
  ...(calls === undefined ? {} : { tool_calls: calls.map(callOf) }),
});

const tokensOf = (content: readonly Json[] | undefined): Json | null =>
  content === undefined || content.length === 0 ? null : { content, refusal: null };

export const chatBody = ({ message, finish, logprobs }: ChatVendorAnswer, tokens: Tokens): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(message), logprobs: tokensOf(logprobs), finish_reason: finish }],
    usage: chatUsage(tokens),
  });

/** Splits a text in the middle of its UTF-16 units, also inside a surrogate pair. */
export const splitInHalf = (text: string): readonly string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

const callDeltas = (call: ChatCall, index: number): readonly Json[] => [
  { tool_calls: [{ index, ...callOf({ ...call, arguments: '' }) }] },
  ...splitInHalf(call.arguments).map((text) => ({
    tool_calls: [
      { index, ...(call.isCustom === true ? { custom: { input: text } } : { function: { arguments: text } }) },
    ],
  })),
];

/**
 * Reasoning, text, refusal and calls, in the order in which vendors send them. Other members are sent with the first
 * delta of their kind.
 */
const deltasOf = (message: ChatVendorAnswer['message']): readonly Json[] => {
  const {
    content,
    reasoning_content: reasoning,
    reasoning_details: details,
    refusal,
    tool_calls: calls = [],
    ...others
  } = message;
  return [
    { role: 'assistant', content: '' },
    ...splitInHalf(reasoning ?? '').map((text) => ({ reasoning_content: text })),
    ...(details === undefined ? [] : [{ reasoning_details: details }]),
    ...splitInHalf(content ?? '').map((text) => ({ content: text })),
    ...(typeof refusal === 'string' ? splitInHalf(refusal).map((text) => ({ refusal: text })) : []),
    ...calls.flatMap(callDeltas),
    ...(Object.keys(others).length === 0 ? [] : [others]),
  ];
};

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (members: Json): string => frame({ ...head, object: 'chat.completion.chunk', ...members });

/** The first delta with text has the first token, the last one the others. */
const shareTokens = (deltas: readonly Json[], all: readonly Json[]): readonly (readonly Json[])[] => {
  const texts = deltas.flatMap(({ content }, index) => (typeof content === 'string' && content !== '' ? [index] : []));
  return deltas.map((_, index) => {
    if (index === texts.at(-1)) return texts.length === 1 ? all : all.slice(1);
    return index === texts[0] ? all.slice(0, 1) : [];
  });
};

const choiceOf = (delta: Json, logprobs: readonly Json[]): Json => ({
  index: 0,
  delta,
  ...(logprobs.length === 0 ? {} : { logprobs: tokensOf(logprobs) }),
  finish_reason: null,
});

export const chatFrames = (
  { message, finish, logprobs = [], deltas = deltasOf(message) }: ChatVendorAnswer,
  tokens: Tokens,
): readonly string[] => [
  ...shareTokens(deltas, logprobs).map((share, index) =>
    chunk({ choices: [choiceOf(deltas[index] ?? {}, share)], usage: null }),
  ),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: null }),
  chunk({ choices: [], usage: chatUsage(tokens) }),
  'data: [DONE]\n\n',
];
