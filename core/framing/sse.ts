import type { FrameWriter, Framing } from '../contracts/framing.ts';
import { SseDecoder } from './sse-decoder.ts';

/** JSON contains no raw line break. Other data is written as several lines, so that no text can end its frame early. */
const writeData = (data: string): string =>
  data.includes('\n') || data.includes('\r')
    ? data
        .split(/\r\n|\r|\n/)
        .map((line) => `data: ${line}\n`)
        .join('')
    : `data: ${data}\n`;

const writer: FrameWriter = {
  frame: (event, data) => (event === undefined ? `${writeData(data)}\n` : `event: ${event}\n${writeData(data)}\n`),
  close: () => '',
  idle: () => ': keep-alive\n\n',
  comment: (text) => `: ${text}\n\n`,
};

/**
 * Server-sent events, read in every form of the standard and written in one. A frame with empty data and no event name
 * is not an event (a comment): codecs skip it, and the native lane relays its bytes.
 */
export const sse: Framing = {
  name: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  decoder: ({ frameBytes }) => new SseDecoder(frameBytes),
  writer,
};
