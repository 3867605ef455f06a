import { sql } from '../../../core/api/database.ts';
import type { DimensionName } from '../tables.ts';

/** Names repeat: a project is known within its organization, a key within its project. */
const paths: Partial<Readonly<Record<DimensionName, readonly DimensionName[]>>> = {
  project: ['organization', 'project'],
  key: ['organization', 'project', 'key'],
};

/** What a dimension is grouped by and shown as: `acme/web` for a project, `acme/web/alice` for a key. */
export const identityOf = (name: DimensionName) =>
  sql`${sql.join(
    (paths[name] ?? [name]).map((part) => sql.ref(part)),
    sql` || '/' || `,
  )}`;

/** Whether a dimension has one of these values: names, or identities. */
export const isOneOf = (name: DimensionName, values: readonly string[]) => {
  const isNamed = sql`${sql.ref(name)} IN (${sql.join(values)})`;
  return paths[name] === undefined ? isNamed : sql`(${isNamed} OR ${identityOf(name)} IN (${sql.join(values)}))`;
};
