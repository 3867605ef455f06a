import type { ServerResponse } from 'node:http';
import { answerJson, type UpstreamCall } from '../support/upstream.ts';

/** What the model says, in the pieces in which it is streamed. */
export interface Said {
  readonly text?: readonly string[];
  readonly reasoning?: readonly string[];
  /** The arguments of a call of `look_up`. */
  readonly input?: readonly string[];
  /** The stream stops after the last piece, and its connection stays open. */
  readonly isOpen?: boolean;
}

const chatChunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  })}\n\n`;

const chatStream = ({ text = [], input = [], isOpen = false }: Said): string[] => [
  chatChunk({ role: 'assistant', content: '' }),
  ...text.map((content) => chatChunk({ content })),
  ...input.map((piece, index) => {
    const head = index === 0 ? { id: 'call_1', type: 'function' } : {};
    const call = { index: 0, ...head, function: { ...(index === 0 ? { name: 'look_up' } : {}), arguments: piece } };
    return chatChunk({ tool_calls: [call] });
  }),
  ...(isOpen
    ? []
    : [
        chatChunk({}, input.length > 0 ? 'tool_calls' : 'stop'),
        `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":70,"total_tokens":75}}\n\n`,
        'data: [DONE]\n\n',
      ]),
];

const chatBody = ({ text = [], input = [] }: Said): object => {
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'look_up', arguments: input.join('') } }];
  const content = text.join('');
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(input.length > 0 ? { tool_calls: calls } : {}) },
        finish_reason: input.length > 0 ? 'tool_calls' : 'stop',
        logprobs: { content: [{ token: content, logprob: 0, bytes: null, top_logprobs: [] }] },
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 70, total_tokens: 75 },
  };
};

const frame = (event: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const messagesStream = ({ text = [], reasoning = [], isOpen = false }: Said): string[] => {
  const usage = { input_tokens: 5, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  const blocks: readonly (readonly [object, readonly object[]])[] = [
    ...(reasoning.length === 0
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: 'U2lnbmVk' },
            ],
          ] as const,
        ]),
    [{ type: 'text', text: '' }, text.map((piece) => ({ type: 'text_delta', text: piece }))],
  ];
  const stop = { index: blocks.length - 1 };
  const frames = [
    frame({ type: 'message_start', message }),
    ...blocks.flatMap(([start, deltas], index) => [
      frame({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => frame({ type: 'content_block_delta', index, delta })),
      ...(index === stop.index ? [] : [frame({ type: 'content_block_stop', index })]),
    ]),
  ];
  if (isOpen) return frames;
  const end = { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 70 } };
  return [
    ...frames,
    frame({ type: 'content_block_stop', ...stop }),
    frame({ type: 'message_delta', ...end }),
    frame({ type: 'message_stop' }),
  ];
};

const messagesBody = ({ text = [], reasoning = [] }: Said): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    ...(reasoning.length === 0 ? [] : [{ type: 'thinking', thinking: reasoning.join(''), signature: 'U2lnbmVk' }]),
    { type: 'text', text: text.join('') },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 70 },
});

/** Sends what the model says in the wire of the call, each piece in a write of its own. */
export async function say(said: Said, response: ServerResponse, { path, body }: UpstreamCall): Promise<void> {
  const isMessages = path.endsWith('/messages');
  if (body['stream'] !== true) return answerJson(response, isMessages ? messagesBody(said) : chatBody(said));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of isMessages ? messagesStream(said) : chatStream(said)) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (said.isOpen !== true) response.end();
}
