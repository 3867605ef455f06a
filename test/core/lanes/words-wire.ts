import type { GenerateRequest } from '../../../core/api/index.ts';
import { defineCodec, upstreamError, type Frame, type FrameDecoder, type Framing } from '../../../core/api/codec.ts';

/** One line, one frame. */
const createLineDecoder = (): FrameDecoder => {
  let rest = '';
  const emitLine = (line: string, emit: (frame: Frame) => void): void => {
    if (line !== '') emit({ event: undefined, data: line });
  };
  return {
    push: (chunk, emit) => {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) emitLine(line, emit);
    },
    end: (emit) => emitLine(rest, emit),
  };
};
export const lines: Framing = { name: 'lines', contentType: 'text/x-lines', decoder: createLineDecoder };

const textOf = ({ turns }: GenerateRequest): string =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n');

/**
 * A wire that only this provider speaks, and only upstream: `{prompt}` up; `{answer}` or lines of words, the last one
 * `.`, down.
 */
export const wordsCodec = defineCodec({
  operation: 'generate',
  wire: 'words',
  upstream: {
    limits: { stop: false },
    encodeRequest: (request, { model }) => ({
      body: { model, prompt: textOf(request) },
      headers: { 'content-type': 'application/json', accept: request.stream ? 'text/x-lines' : 'application/json' },
    }),
    decodeResponse: (body) => {
      const { answer } = body as { answer: string };
      return { choices: [{ parts: [{ type: 'text', text: answer }], finish: { reason: 'stop' } }] };
    },
    decodeStream: () => {
      let begun = false;
      return {
        push: ({ data }, emit) => {
          if (!begun) {
            begun = true;
            emit({ type: 'response-start' });
            emit({ type: 'part-start', choice: 0, part: 0, kind: 'text' });
          }
          if (data !== '.') emit({ type: 'part-delta', choice: 0, part: 0, text: data });
          else {
            emit({ type: 'part-end', choice: 0, part: 0 });
            emit({ type: 'choice-end', choice: 0, finish: { reason: 'stop' } });
            emit({ type: 'response-end' });
          }
        },
        end: () => {},
      };
    },
    decodeError: (reply) => upstreamError('words', reply),
  },
});
