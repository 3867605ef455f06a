import type { PartEvent } from './event.ts';
import { createBufferLimit, weighLogprobs } from './buffer-limit.ts';

/** What a buffered event counts, in addition to its text. */
const EVENT = 64;

/**
 * Orders events for wires whose parts cannot interleave. The oldest open part streams; the others are buffered until it
 * ends, in the order of their starts.
 */
export function createPartQueue(pass: (event: PartEvent) => void): (event: PartEvent) => void {
  let streaming: number | undefined;
  const waiting = new Map<number, PartEvent[]>();
  /** Parts in the order of their starts, from `next` on. A Map would skip all that it has deleted, for each part. */
  const order: number[] = [];
  let next = 0;
  const keep = createBufferLimit();
  const hold = (event: PartEvent): void => {
    keep(EVENT + (event.type === 'part-delta' ? event.text.length + weighLogprobs(event.logprobs) : 0));
    waiting.get(event.part)?.push(event);
  };

  /** Continues with the next part. Parts that are already complete are passed on at once. */
  const advance = (): void => {
    streaming = undefined;
    while (next < order.length) {
      const part = order[next++] ?? 0;
      const held = waiting.get(part);
      if (held === undefined) continue;
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
      else {
        if (!waiting.has(event.part)) order.push(event.part);
        waiting.set(event.part, []);
      }
    }
    if (streaming !== event.part) hold(event);
    else {
      pass(event);
      if (event.type === 'part-end') advance();
    }
  };
}
