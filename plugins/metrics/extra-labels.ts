import type { Caller } from '../../core/api/index.ts';
import { memoize, memoizeByObject } from './memoize.ts';
import type { MetricsOptions } from './schema.ts';

/** The labels in the setting `labels`, with their values for a caller. */
export interface ExtraLabels {
  readonly names: readonly string[];
  /** Returns the same array for the same values, so that it can be the key of a cache. */
  of(caller: Caller | undefined): readonly string[];
}

const none: readonly string[] = [];

/** Unknown callers and values beyond `maxValues` get the value `other`. */
export function createExtraLabels({ labels, maxValues }: Pick<MetricsOptions, 'labels' | 'maxValues'>): ExtraLabels {
  if (labels.length === 0) return { names: none, of: () => none };
  const capValues = labels.map(() => {
    const known = new Set<string>();
    return (value: string): string => {
      if (known.has(value)) return value;
      if (known.size >= maxValues) return 'other';
      known.add(value);
      return value;
    };
  });
  const others = labels.map(() => 'other');
  const split = memoize((joined: string) => joined.split('\n'));
  const ofCaller = memoizeByObject((caller: Caller) =>
    split(labels.map((label, index) => capValues[index]?.(caller[label]) ?? 'other').join('\n')),
  );
  return { names: labels, of: (caller) => (caller === undefined ? others : ofCaller(caller)) };
}
