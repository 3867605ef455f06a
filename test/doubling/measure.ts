import type { CallCounter } from './calls-made.ts';
import type { Growth } from './grow.ts';

/** The size of the first run; the next ones have twice and four times as much. */
const SIZE = 24;
/** Growths that are measured together: reading the counts takes longer than a request. */
const GROUP = 8;

/** Sends the body of one growth at a size. */
export type Play = (growth: Growth, size: number) => Promise<void>;

const measure = (counter: CallCounter, growths: readonly Growth[], play: Play): Promise<readonly string[]> =>
  counter.findSuperlinear(async (run) => {
    for (const growth of growths) await play(growth, SIZE * 2 ** run);
  });

/**
 * The code that a group of growths makes run more than in proportion. If there is any, each growth is measured alone.
 */
export const measureGroup = async (
  counter: CallCounter,
  growths: readonly Growth[],
  play: Play,
): Promise<readonly string[]> => {
  if ((await measure(counter, growths, play)).length === 0) return [];
  const found: string[] = [];
  for (const growth of growths)
    found.push(...(await measure(counter, [growth], play)).map((place) => `${growth.name}: ${place}`));
  return found;
};

export const groupsOf = (
  growths: readonly Growth[],
): readonly { readonly title: string; readonly growths: readonly Growth[] }[] =>
  Array.from({ length: Math.ceil(growths.length / GROUP) }, (_, number) => {
    const group = growths.slice(number * GROUP, (number + 1) * GROUP);
    return { title: `${group[0]?.name} to ${group.at(-1)?.name}`, growths: group };
  });
