import type { Json, Tokens } from './wires.ts';

/** An answer as a chat-completions vendor words it. */
export interface ChatVendorAnswer {
  /** The members of `message` but its role. */
  readonly message: Json & {
    readonly content?: string | null;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly ChatCall[];
  };
  readonly finish: string;
  /** The whole stream, where the one made from `message` is not the point. */
  readonly deltas?: readonly Json[];
}
export interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export const chatUsage = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  prompt_tokens: fresh + read + write,
  completion_tokens: output,
  total_tokens: fresh + read + write + output,
  prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

const head = { id: 'chatcmpl-vendor', created: 1_763_000_000, model: 'vendor-chat' };
const callOf = ({ id, name, arguments: text }: ChatCall): Json => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const messageOf = ({ tool_calls: calls, ...message }: ChatVendorAnswer['message']): Json => ({
  role: 'assistant',
  content: null,
  ...message,
  ...(calls === undefined ? {} : { tool_calls: calls.map(callOf) }),
});

export const chatBody = ({ message, finish }: ChatVendorAnswer, tokens: Tokens): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(message), logprobs: null, finish_reason: finish }],
    usage: chatUsage(tokens),
  });

/** Both halves by UTF-16 units: a pair of surrogates in the middle is torn apart. */
export const halves = (text: string): readonly string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

const callDeltas = (call: ChatCall, index: number): readonly Json[] => [
  { tool_calls: [{ index, ...callOf({ ...call, arguments: '' }) }] },
  ...halves(call.arguments).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
];

/** Reasoning, text, refusal, calls: in the order in which vendors send them. The rest of the message goes with the first delta of its kind. */
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
    ...halves(reasoning ?? '').map((text) => ({ reasoning_content: text })),
    ...(details === undefined ? [] : [{ reasoning_details: details }]),
    ...halves(content ?? '').map((text) => ({ content: text })),
    ...(typeof refusal === 'string' ? halves(refusal).map((text) => ({ refusal: text })) : []),
    ...calls.flatMap(callDeltas),
    ...(Object.keys(others).length === 0 ? [] : [others]),
  ];
};

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (members: Json): string => frame({ ...head, object: 'chat.completion.chunk', ...members });

export const chatFrames = (
  { message, finish, deltas = deltasOf(message) }: ChatVendorAnswer,
  tokens: Tokens,
): readonly string[] => [
  ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }], usage: null })),
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: null }),
  chunk({ choices: [], usage: chatUsage(tokens) }),
  'data: [DONE]\n\n',
];
