import type { Destination } from '../../../extensions/importer.ts';
import { alignColumns } from '../../align-columns.ts';
import type { Status } from './compare.ts';
import type { VerifiedName } from './verify-names.ts';
import { simplify } from './destinations.ts';

const statuses: readonly Status[] = ['equal', 'different', 'missing', 'wider'];

const describe = ({ provider, model, ...facts }: Destination): string => {
  const others = Object.entries(facts).map(([fact, value]) => `${fact} ${value}`);
  return `${simplify(provider)} ${model}${others.length === 0 ? '' : ` (${others.join(', ')})`}`;
};

const describeAll = (destinations: readonly Destination[]): string =>
  destinations.length === 0 ? 'refused' : [...new Set(destinations.map(describe))].join('; ');

const writeRow = ({ status, name, key, destinations, found, refusal }: VerifiedName): readonly string[] => [
  status,
  name,
  key === undefined ? 'any' : `${key.organization}/${key.project}/${key.name}`,
  describeAll(destinations),
  status === 'equal' ? 'the same' : (refusal ?? describeAll(found)),
];

/** Names that both refuse have no row. */
export function writeNames(verified: readonly VerifiedName[]): string {
  const shown = verified.filter(({ destinations, found }) => destinations.length + found.length > 0);
  return `${alignColumns(['', 'NAME', 'KEY', 'IN THE SOURCE', 'IN THE RESULT'], shown.map(writeRow))}\n`;
}

/** `12 names: 10 equal, 1 different, 1 missing, 0 wider.` */
export function countNames(verified: readonly VerifiedName[]): string {
  const shown = verified.filter(({ destinations, found }) => destinations.length + found.length > 0);
  const counts = statuses.map((status) => `${shown.filter((one) => one.status === status).length} ${status}`);
  return `${shown.length} ${shown.length === 1 ? 'name' : 'names'}: ${counts.join(', ')}.`;
}

/** Whether clients lose a name, or requests can reach what they could not. */
export const isWorse = ({ status }: VerifiedName): boolean => status === 'missing' || status === 'wider';
