import type { EventEncoder, WriteContext, WriteFrame } from '../../../../../core/index.ts';
import { createAnswer } from './response-events.ts';

/** Events as frames: named, numbered from 0 over the whole stream, and no `[DONE]`. */
export function encodeStream(context: WriteContext): EventEncoder {
  let writeFrame: WriteFrame = () => {};
  let next = 0;
  const answer = createAnswer(context, (type, members) =>
    writeFrame(type, JSON.stringify({ type, sequence_number: next++, ...members })),
  );
  return {
    push: (event, write) => {
      writeFrame = write;
      answer.push(event);
    },
  };
}
