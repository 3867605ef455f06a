import type { ServerResponse } from 'node:http';
import { googleError, messagesError, chatError } from '../failures/failure-case.ts';
import { thrownOf, type Kind } from '../failures/thrown.ts';
import { goodDay } from '../sample-bodies.ts';
import { responsesFailure, responsesFrame } from './vendor-responses.ts';
import { framesOf } from './vendors.ts';
import type { Wire } from '../wires.ts';

/** The number of frames up to the first half of the text, and of those before any text. */
export const untilText: Readonly<Record<Wire, number>> = { chat: 2, messages: 4, responses: 5, google: 1 };
const opening: Readonly<Record<Wire, number>> = { chat: 1, messages: 2, responses: 2, google: 0 };
export const firstHalf = 'Good';

/** The vendor reports that it is overloaded. */
export const errorFrame: Readonly<Record<Wire, string>> = {
  chat: `data: ${JSON.stringify(chatError('Overloaded.', 'server_error', 'overloaded'))}\n\n`,
  messages: `event: error\ndata: ${JSON.stringify(messagesError('overloaded_error', 'Overloaded.'))}\n\n`,
  responses: responsesFrame(responsesFailure('overloaded', 'Overloaded.'), 9),
  google: `data: ${JSON.stringify(googleError(503, 'UNAVAILABLE', 'Overloaded.'))}\n\n`,
};
/** A frame that is cut off. */
export const halfFrame: Readonly<Record<Wire, string>> = {
  chat: 'data: {"choices":[{\n\n',
  messages: 'event: content_block_delta\ndata: {"type":"content_block_de\n\n',
  responses: 'event: response.output_text.delta\ndata: {"type":"response.output_te\n\n',
  google: 'data: {"candidates":[{\r\n\r\n',
};

/** How a stream breaks, before or after content. */
export interface Break {
  readonly name: string;
  /** Writes what follows the good frames. */
  readonly breakOff: (response: ServerResponse, wire: Wire) => void;
  /** The `ending` in the access log, after content. */
  readonly ending: string;
  /** The failure that a client receives before content. */
  readonly kind: Kind;
  /** The error message after content. */
  readonly message: RegExp;
}

export const breaks: readonly Break[] = [
  {
    name: 'an error event',
    breakOff: (response, wire) => void response.end(errorFrame[wire]),
    ending: 'upstream_error_event',
    kind: 'overloaded',
    message: /Overloaded\./,
  },
  {
    name: 'an early end',
    breakOff: (response) => void response.end(),
    ending: 'truncated',
    kind: 'cut off',
    message: /ended before it was complete/,
  },
  {
    name: 'an early end inside a frame',
    breakOff: (response, wire) => void response.end(framesOf(wire, goodDay)[untilText[wire]]?.slice(0, -12)),
    ending: 'truncated',
    kind: 'cut off',
    message: /ended before it was complete/,
  },
  {
    name: 'a reset',
    breakOff: (response) => {
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    },
    ending: 'upstream_reset',
    kind: 'bad gateway',
    message: /closed the connection/,
  },
  {
    name: 'a frame that is not JSON',
    breakOff: (response, wire) => void response.end(halfFrame[wire]),
    ending: 'upstream_error_event',
    kind: 'bad gateway',
    message: /(?:event|frame|data) that is not/,
  },
];

export const statusOf = ({ kind }: Break, client: Wire): number => thrownOf(kind, client).status;

/** Sends a stream that breaks before or after content. */
export const breakStream =
  ({ breakOff }: Break, wire: Wire, when: 'before content' | 'after content') =>
  (response: ServerResponse): void => {
    const count = when === 'after content' ? untilText[wire] : opening[wire];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    response.write(framesOf(wire, goodDay).slice(0, count).join(''));
    breakOff(response, wire);
  };
