import type { Destination } from '../../../extensions/importer.ts';
import { alignColumns } from '../../align-columns.ts';
import type { Status, VerifiedName } from './verify-names.ts';
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
const isShown = ({ destinations, found }: VerifiedName): boolean => destinations.length + found.length > 0;

export const writeNames = (verified: readonly VerifiedName[]): string =>
  `${alignColumns(['', 'NAME', 'KEY', 'IN THE SOURCE', 'IN THE RESULT'], verified.filter(isShown).map(writeRow))}\n`;

/** `12 names: 10 equal, 1 different, 1 missing, 0 wider.` */
export function countNames(verified: readonly VerifiedName[]): string {
  const shown = verified.filter(isShown);
  const counts = statuses.map((status) => `${shown.filter((one) => one.status === status).length} ${status}`);
  return `${shown.length} ${shown.length === 1 ? 'name' : 'names'}: ${counts.join(', ')}.`;
}

/** Whether clients lose a name, or requests can reach what they could not. */
export const isWorse = ({ status }: VerifiedName): boolean => status === 'missing' || status === 'wider';
