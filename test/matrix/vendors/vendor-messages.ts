import { omitUndefined } from '../../../core/api/codec.ts';
import { splitInHalf } from './vendor-chat.ts';
import type { Json, Tokens } from '../wires.ts';

export type Block = Json & { readonly type: string };

/** A response of a messages vendor. */
export interface MessagesVendorAnswer {
  readonly content: readonly Block[];
  readonly finish: string;
  readonly sequence?: string;
  readonly details?: Json;
}

export const messagesUsage = ({ fresh, read, write, output, reasoning }: Tokens): Json => ({
  input_tokens: fresh,
  cache_creation_input_tokens: write,
  cache_read_input_tokens: read,
  output_tokens: output,
  output_tokens_details: { thinking_tokens: reasoning },
});

const head = { id: 'msg_vendor', type: 'message', role: 'assistant', model: 'vendor-messages' };
const endOf = ({
  finish,
  sequence = null,
  details,
}: MessagesVendorAnswer | { finish: string; sequence?: string | null; details?: Json }): Json =>
  omitUndefined({
    stop_reason: finish,
    stop_sequence: sequence,
    stop_details: details,
  });

export const messagesBody = (answer: MessagesVendorAnswer, tokens: Tokens): string =>
  JSON.stringify({ ...head, content: answer.content, ...endOf(answer), usage: messagesUsage(tokens) });

const frame = (data: Json): string => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;

/** The start of a block and its deltas. */
const openings: Readonly<
  Record<string, (block: Block) => { readonly start: Block; readonly deltas: readonly Json[] }>
> = {
  text: (block) => ({
    start: { ...block, text: '' },
    deltas: splitInHalf(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
  }),
  thinking: (block) => ({
    start: { ...block, thinking: '', signature: '' },
    deltas: [
      ...splitInHalf(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block['signature'] },
    ],
  }),
  tool_use: (block) => ({
    start: { ...block, input: {} },
    deltas: ['', ...splitInHalf(JSON.stringify(block['input']))].map((text) => ({
      type: 'input_json_delta',
      partial_json: text,
    })),
  }),
};

const blockFrames = (block: Block, index: number): readonly string[] => {
  const { start, deltas } = openings[block.type]?.(block) ?? { start: block, deltas: [] };
  return [
    frame({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => frame({ type: 'content_block_delta', index, delta })),
    frame({ type: 'content_block_stop', index }),
  ];
};

const begun = (tokens: Tokens): Json => ({
  ...head,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: messagesUsage({ ...tokens, output: 1, reasoning: 0 }),
});

export const messagesFrames = (answer: MessagesVendorAnswer, tokens: Tokens): readonly string[] => [
  frame({ type: 'message_start', message: begun(tokens) }),
  frame({ type: 'ping' }),
  ...answer.content.flatMap(blockFrames),
  frame({ type: 'message_delta', delta: endOf(answer), usage: messagesUsage(tokens) }),
  frame({ type: 'message_stop' }),
];
