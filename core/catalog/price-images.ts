import type { ImageKind } from '../canonical/usage.ts';
import type { ImagePrice } from '../contracts/price.ts';

/** The name of the figure for what is not listed. */
const DEFAULT = 'default';

/** The word comes from a client or a vendor, so it may be that of an inherited member. */
const find = <Entry>(entries: Readonly<Record<string, Entry>>, word: string): Entry | undefined =>
  Object.hasOwn(entries, word) ? entries[word] : undefined;

/** The entries that can apply to a word: one, if it is known, and none, if it is not listed. */
const listEntries = <Entry>(
  entries: Readonly<Record<string, Entry>>,
  word: string | undefined,
  unknown: 'default' | 'any',
): readonly Entry[] => {
  const isKnown = word !== undefined && word !== 'auto';
  const own = (isKnown ? find(entries, word) : undefined) ?? find(entries, DEFAULT);
  if (!isKnown && (own === undefined || unknown === 'any')) return Object.values(entries);
  return own === undefined ? [] : [own];
};

const findHighest = (
  price: ImagePrice<bigint> | undefined,
  { size, quality }: ImageKind,
  unknown: 'default' | 'any',
): bigint | undefined => {
  if (price === undefined || typeof price === 'bigint') return price;
  let highest: bigint | undefined;
  for (const entry of listEntries(price, size, unknown))
    for (const figure of typeof entry === 'bigint' ? [entry] : listEntries(entry, quality, unknown))
      if (highest === undefined || figure > highest) highest = figure;
  return highest;
};

/**
 * What an image has cost, in nano-dollars. If its size or quality is not known, the figure of `default` applies, and
 * without one the highest. Undefined if the price does not list it.
 */
export const priceImage = (price: ImagePrice<bigint> | undefined, kind: ImageKind = {}): bigint | undefined =>
  findHighest(price, kind, 'default');

/** The most that an image can cost, in nano-dollars, where the vendor chooses what the request does not say. */
export const priceImageAtMost = (price: ImagePrice<bigint> | undefined, kind: ImageKind = {}): bigint | undefined =>
  findHighest(price, kind, 'any');
