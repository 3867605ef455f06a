import type { GenerateEvent } from './event.ts';
import { createBufferLimit } from './buffer-limit.ts';

export type PartEvent = Extract<GenerateEvent, { type: 'part-start' | 'part-delta' | 'part-end' }>;

/** What an event counts beside its text. */
const EVENT = 64;

/** For wires whose parts never interleave. The oldest open part streams; the others are held back until it ends, in the order of their starts. */
export function createPartQueue(pass: (event: PartEvent) => void): (event: PartEvent) => void {
  let streaming: number | undefined;
  const waiting = new Map<number, PartEvent[]>();
  const keep = createBufferLimit();
  const hold = (event: PartEvent): void => {
    keep(EVENT + (event.type === 'part-delta' ? event.text.length : 0));
    waiting.get(event.part)?.push(event);
  };

  /** The next part becomes the one that streams; those that are already whole pass at once. */
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
