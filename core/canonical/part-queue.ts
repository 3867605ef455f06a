import type { PartEvent } from './event.ts';
import { createBufferLimit } from './buffer-limit.ts';

/** What a buffered event counts, in addition to its text. */
const EVENT = 64;

/**
 * Orders events for wires whose parts cannot interleave. The oldest open part streams; the others are buffered until it
 * ends, in the order of their starts.
 */
export function createPartQueue(pass: (event: PartEvent) => void): (event: PartEvent) => void {
  let streaming: number | undefined;
  const waiting = new Map<number, PartEvent[]>();
  const keep = createBufferLimit();
  const hold = (event: PartEvent): void => {
    keep(EVENT + (event.type === 'part-delta' ? event.text.length : 0));
    waiting.get(event.part)?.push(event);
  };

  /** Continues with the next part. Parts that are already complete are passed on at once. */
  const advance = (): void => {
    streaming = undefined;
    for (const [part, held] of waiting) {
      waiting.delete(part);
      held.forEach(pass);
      if (held.at(-1)?.type === 'part-end') continue;
      streaming = part;
      return;
    }
  };

  return (event) => {
    if (event.type === 'part-start') {
      if (streaming === undefined) streaming = event.part;
      else waiting.set(event.part, []);
    }
    if (streaming !== event.part) hold(event);
    else {
      pass(event);
      if (event.type === 'part-end') advance();
    }
  };
}
