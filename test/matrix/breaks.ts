import type { ServerResponse } from 'node:http';
import { chatError, messagesError } from './failures/failure-case.ts';
import { goodDay } from './matrix-case.ts';
import { chatFrames } from './vendor-chat.ts';
import { messagesFrames } from './vendor-messages.ts';
import { someTokens, type Wire } from './wires.ts';

const frames: Readonly<Record<Wire, readonly string[]>> = { chat: chatFrames(goodDay.chat, someTokens), messages: messagesFrames(goodDay.messages, someTokens) };
/** Frames until the first half of the text is out, and those before any text. */
const untilText: Readonly<Record<Wire, number>> = { chat: 2, messages: 4 };
const opening: Readonly<Record<Wire, number>> = { chat: 1, messages: 2 };
export const firstHalf = 'Good';

const errorFrame: Readonly<Record<Wire, string>> = {
  chat: `data: ${JSON.stringify(chatError('Overloaded.', 'server_error', 'overloaded'))}\n\n`,
  messages: `event: error\ndata: ${JSON.stringify(messagesError('overloaded_error', 'Overloaded.'))}\n\n`,
};

/** How a stream goes wrong, after content or before it. */
export interface Break {
  readonly name: string;
  /** Writes from where the good frames ended. */
  readonly strike: (response: ServerResponse, wire: Wire) => void;
  /** In the access log, once content has been sent. */
  readonly ending: string;
  /** What a client is told before any content. */
  readonly status: Readonly<Record<Wire, number>>;
  /** Of the error, once content has been sent. */
  readonly message: RegExp;
}

const gatewayFault = { chat: 502, messages: 500 } as const;

export const breaks: readonly Break[] = [
  {
    name: 'an error event',
    strike: (response, wire) => void response.end(errorFrame[wire]),
    ending: 'upstream_error_event',
    status: { chat: 503, messages: 529 },
    message: /Overloaded\./,
  },
  {
    name: 'an early end',
    strike: (response) => void response.end(),
    ending: 'truncated',
    status: gatewayFault,
    message: /ended before it was complete/,
  },
  {
    name: 'an early end inside a frame',
    strike: (response, wire) => void response.end(frames[wire][untilText[wire]]?.slice(0, -12)),
    ending: 'truncated',
    status: gatewayFault,
    message: /ended before it was complete/,
  },
  {
    name: 'a reset',
    strike: (response) => {
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    },
    ending: 'upstream_reset',
    status: gatewayFault,
    message: /closed the connection/,
  },
  {
    name: 'a frame that is no JSON',
    strike: (response, wire) => void response.end(wire === 'chat' ? 'data: {"choices":[{\n\n' : 'event: content_block_delta\ndata: {"type":"content_block_de\n\n'),
    ending: 'upstream_error_event',
    status: gatewayFault,
    message: /(?:event|frame).* is no/,
  },
];

/** A stream that breaks after so much of it has been sent. */
export const breakStream = ({ strike }: Break, wire: Wire, when: 'before content' | 'after content') => (response: ServerResponse): void => {
  const count = when === 'after content' ? untilText[wire] : opening[wire];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frames[wire].slice(0, count).join(''));
  strike(response, wire);
};
