import type { EventEncoder, WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { writeErrorEvent } from './error.ts';
import { InteractionWriter } from './response.ts';

/**
 * Writes events as named frames, whose data repeats the name, and the frame that follows the last of them.
 * https://ai.google.dev/gemini-api/docs/interactions/streaming
 */
export function encodeStream(context: WriteContext): EventEncoder {
  let write: WriteFrame = () => {};
  const writer = new InteractionWriter(context, (type, members) =>
    write(type, JSON.stringify({ event_type: type, ...members })),
  );
  return {
    push: (event, frame) => {
      write = frame;
      if (event.type === 'error') return writeErrorEvent(event.error, frame);
      writer.push(event);
      if (event.type === 'response-end') frame('done', '[DONE]');
    },
  };
}
