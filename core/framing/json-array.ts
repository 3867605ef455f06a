import type { FrameWriter, Framing } from '../contracts/framing.ts';
import { JsonArrayDecoder } from './json-array-decoder.ts';

const writer: FrameWriter = {
  frame: (_event, data, first) => (first ? `[${data}` : `,\r\n${data}`),
  close: () => ']',
  idle: () => ' ',
};

/**
 * One JSON array whose elements are sent as they come: Google's streams without `alt=sse`. Elements have no event
 * names.
 */
export const jsonArray: Framing = {
  name: 'json-array',
  contentType: 'application/json',
  decoder: ({ frameBytes }) => new JsonArrayDecoder(frameBytes),
  writer,
};
