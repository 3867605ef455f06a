import type { ServerResponse } from 'node:http';
import { untilText } from '../matrix/vendors/breaks.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { responsesFrame } from '../matrix/vendors/vendor-responses.ts';
import { framesOf } from '../matrix/vendors/vendors.ts';
import type { Wire } from '../matrix/wires.ts';

/** So many pieces of text, each so long: far more than every buffer on the way holds. */
export interface FloodSize {
  readonly pieces: number;
  readonly length: number;
}
export const longPieces: FloodSize = { pieces: 6_500, length: 6_000 };
/** Little text in long events, for conversions that keep the text. */
export const shortPieces: FloodSize = { pieces: 200_000, length: 20 };

const sse = (data: object, end = '\n\n'): string => `data: ${JSON.stringify(data)}${end}`;
const pieces: Readonly<Record<Wire, (text: string, index: number) => string>> = {
  chat: (content) =>
    sse({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }),
  messages: (text) =>
    `event: content_block_delta\n${sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}`,
  responses: (delta, index) =>
    responsesFrame(
      { type: 'response.output_text.delta', item_id: 'msg_0', output_index: 0, content_index: 0, delta, logprobs: [] },
      4 + index,
    ),
  google: (text) => sse({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }, '\r\n\r\n'),
};
/** The response takes more, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });

/** Writes a long stream as fast as it is taken. */
export const flood = async (
  response: ServerResponse,
  wire: Wire,
  written: { bytes: number },
  { pieces: count, length } = longPieces,
): Promise<void> => {
  const filling = 'x'.repeat(length);
  const frames = framesOf(wire, goodDay);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames.slice(0, untilText[wire] - 1).join(''));
  for (let index = 0; index < count; index += 1) {
    const frame = pieces[wire](`<${index}>${filling}`, index);
    written.bytes += frame.length;
    if (!response.write(frame)) await drained(response);
    if (response.destroyed) return;
  }
  response.end(frames.slice(untilText[wire] + 1).join(''));
};

/** Notes the pieces as they come, in any wire; what repeats them all as one text at the end is not looked at. */
export const createGauge = ({ pieces: count, length } = longPieces): {
  readonly add: (chunk: string) => void;
  readonly found: readonly number[];
} => {
  const found: number[] = [];
  const seen = new RegExp(`<(\\d+)>x{${length}}"`, 'g');
  let text = '';
  return {
    found,
    add: (chunk) => {
      if (found.length === count) return;
      text += chunk;
      let read = 0;
      for (const match of text.matchAll(seen)) {
        if (found.length < count) found.push(Number(match[1]));
        read = match.index + match[0].length;
      }
      text = text.slice(read);
    },
  };
};
