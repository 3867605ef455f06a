import { createHash } from 'node:crypto';
import { dimensionNames, views, type DimensionsTable, type View } from '../tables.ts';
import type { Value } from './insert.ts';

/** The dimensions of an exchange that do not depend on its target. */
export type ExchangeDimensions = Omit<DimensionsTable, 'id' | 'provider' | 'target'>;

/** One combination of dimensions. */
export interface Dimension {
  readonly id: number;
  /** The id as text: sums are sorted by it. */
  readonly order: string;
  /** Its row in `ledger_dimensions` or `ledger_groups`. */
  readonly values: readonly Value[];
}
export interface FullDimension extends Dimension {
  /** What it is part of in each view. */
  readonly groups: Readonly<Record<View, Dimension>>;
}

const MAX_CACHED_DIMENSIONS = 10_000;
const dimensionCache = new Map<string, FullDimension>();

/** 52 bits: a number in JavaScript and in both databases. Of 9,000 ledgers with a million ids, one has a collision. */
const digest = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);

const createDimension = (values: readonly string[]): Dimension => {
  const id = digest(JSON.stringify(values));
  return { id, order: String(id), values: [id, ...values] };
};

/** The row of `ledger_groups` that a combination is part of: what the view does not know is empty. */
export const groupOf = (view: View, values: readonly string[]): Dimension => {
  const known: readonly string[] = views[view];
  return createDimension(dimensionNames.map((name, index) => (known.includes(name) ? (values[index] ?? '') : '')));
};

export const findDimension = (dimensions: ExchangeDimensions, target: string | null): FullDimension => {
  const { organization, project, key, route, wire, operation, model } = dimensions;
  const name = `${organization}\0${project}\0${key}\0${route}\0${wire}\0${operation}\0${model}\0${target ?? ''}`;
  const cached = dimensionCache.get(name);
  if (cached !== undefined) return cached;
  const values = [organization, project, key, route, wire, operation, model, target?.split('/')[0] ?? '', target ?? ''];
  const groups = { key: groupOf('key', values), model: groupOf('model', values) };
  const dimension = { ...createDimension(values), groups };
  if (dimensionCache.size >= MAX_CACHED_DIMENSIONS) dimensionCache.clear();
  dimensionCache.set(name, dimension);
  return dimension;
};
