import type { GenerateEvent } from '../../../../core/index.ts';

export type PartEvent = Extract<GenerateEvent, { type: 'part-start' | 'part-delta' | 'part-end' }>;

/** Parts of one candidate follow one another. The oldest open one passes; the others are held back until it ends, in the order of their starts. */
export const createPartQueue = (pass: (event: PartEvent) => void): ((event: PartEvent) => void) => {
  let waiting: { readonly part: number; readonly held: PartEvent[] }[] = [];

  /** The next part becomes the one that passes; those that are already whole pass at once. */
  const advance = (): void => {
    waiting = waiting.slice(1);
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      next.held.forEach(pass);
      if (next.held.at(-1)?.type !== 'part-end') return;
      waiting = waiting.slice(1);
    }
  };

  return (event) => {
    if (event.type === 'part-start') waiting.push({ part: event.part, held: [] });
    const [passing] = waiting;
    if (passing?.part !== event.part) {
      waiting.find(({ part }) => part === event.part)?.held.push(event);
      return;
    }
    pass(event);
    if (event.type === 'part-end') advance();
  };
};
