import type { Destination } from '../../../extensions/importer.ts';
import { simplify } from './destinations.ts';

/**
 * `different`: fewer destinations than in the source. `missing`: the result refuses the name. `wider`: the result
 * has a destination that the source does not have.
 */
export type Status = 'equal' | 'different' | 'missing' | 'wider';

const stated = ['provider', 'model', 'region', 'project', 'organization', 'key'] as const;

/** Whether everything that the source states is so in the result. */
const isSame = (expected: Destination, found: Destination): boolean =>
  stated.every((fact) => {
    const value = expected[fact];
    return value === undefined || simplify(value) === simplify(found[fact] ?? '');
  });

/** @param found undefined: the result refuses the name */
export function compare(expected: readonly Destination[], found: readonly Destination[] | undefined): Status {
  if (found === undefined) return expected.length === 0 ? 'equal' : 'missing';
  if (found.some((one) => !expected.some((other) => isSame(other, one)))) return 'wider';
  return expected.every((one) => found.some((other) => isSame(one, other))) ? 'equal' : 'different';
}
