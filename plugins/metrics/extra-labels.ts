import type { Caller } from '../../core/index.ts';
import { memoize, memoizeByObject } from './memoize.ts';
import type { MetricsOptions } from './schema.ts';

/** The labels that an operator asked for, of whoever calls. */
export interface ExtraLabels {
  readonly names: readonly string[];
  /** The same array for the same values. */
  of(caller: Caller | undefined): readonly string[];
}

const none: readonly string[] = [];

/** Unknown callers, and values beyond the cap, are `other`. */
export function createExtraLabels({ labels, maxValues }: Pick<MetricsOptions, 'labels' | 'maxValues'>): ExtraLabels {
  if (labels.length === 0) return { names: none, of: () => none };
  const admits = labels.map(() => {
    const known = new Set<string>();
    return (value: string): string => {
      if (known.has(value)) return value;
      if (known.size >= maxValues) return 'other';
      known.add(value);
      return value;
    };
  });
  const others = labels.map(() => 'other');
  const same = memoize((joined: string) => joined.split('\n'));
  const ofCaller = memoizeByObject((caller: Caller) =>
    same(labels.map((label, index) => admits[index]?.(caller[label]) ?? 'other').join('\n')),
  );
  return { names: labels, of: (caller) => (caller === undefined ? others : ofCaller(caller)) };
}
