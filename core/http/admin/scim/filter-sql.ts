import { fold } from '../../../canonical/text/fold.ts';
import { sql, type RawBuilder, type SqlBool } from '../../../services/database/database.ts';
import type { Filter, FilterValue } from './filter.ts';
import { ScimError } from './scim-error.ts';

/** How a filter compares an attribute, by its path in lower case. */
export interface FilterColumn {
  readonly column: string;
  /** `fold`: a text without differences of case, which the column has folded. */
  readonly type: 'text' | 'fold' | 'boolean';
}

/** A condition that a column alone does not express: whether a group has this member. */
export type FilterRelation = (value: string | undefined) => RawBuilder<SqlBool>;

export type FilterColumns = Readonly<Record<string, FilterColumn | FilterRelation>>;

const readOperand = (type: FilterColumn['type'], value: Exclude<FilterValue, null>): string | number => {
  if (type === 'boolean') {
    const text = String(value).toLowerCase();
    if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0;
    throw new ScimError('invalidFilter', 'This attribute is compared with true or false.');
  }
  if (typeof value !== 'string')
    throw new ScimError('invalidFilter', 'This attribute is compared with a text in quotes.');
  return type === 'fold' ? fold(value) : value;
};

const findColumn = (columns: FilterColumns, path: string): FilterColumn | FilterRelation => {
  const found = Object.hasOwn(columns, path) ? columns[path] : undefined;
  if (found !== undefined) return found;
  throw new ScimError('invalidFilter', `A filter can have ${Object.keys(columns).join(', ')}.`);
};

type Leaf = Extract<Filter, { kind: 'compare' | 'present' }>;

const compareRelation = (relation: FilterRelation, filter: Leaf): RawBuilder<SqlBool> => {
  if (filter.kind === 'present') return relation(undefined);
  if (typeof filter.value !== 'string') throw new ScimError('invalidFilter', 'The id of a member is a text in quotes.');
  return filter.equal ? relation(filter.value) : sql<SqlBool>`NOT ${relation(filter.value)}`;
};

const compare = (columns: FilterColumns, filter: Leaf): RawBuilder<SqlBool> => {
  const column = findColumn(columns, filter.path);
  if (typeof column === 'function') return compareRelation(column, filter);
  const reference = sql.ref(column.column);
  if (filter.kind === 'present' || filter.value === null) {
    const isWanted = filter.kind === 'present' || !filter.equal;
    return isWanted ? sql<SqlBool>`${reference} IS NOT NULL` : sql<SqlBool>`${reference} IS NULL`;
  }
  const operand = readOperand(column.type, filter.value);
  return filter.equal
    ? sql<SqlBool>`(${reference} IS NOT NULL AND ${reference} = ${operand})`
    : sql<SqlBool>`(${reference} IS NULL OR ${reference} <> ${operand})`;
};

/** A filter as a condition of a query. Values are bound. @throws ScimError `invalidFilter` */
export function filterToSql(filter: Filter, columns: FilterColumns): RawBuilder<SqlBool> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql<SqlBool>`(${sql.join(
        filter.parts.map((part) => filterToSql(part, columns)),
        filter.kind === 'and' ? sql` AND ` : sql` OR `,
      )})`;
    case 'not':
      return sql<SqlBool>`NOT ${filterToSql(filter.part, columns)}`;
    default:
      return compare(columns, filter);
  }
}
