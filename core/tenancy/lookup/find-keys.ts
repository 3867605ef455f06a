import { sql, type Database } from '../../services/database/database.ts';
import type { KeysTable } from '../../services/database/schema.ts';
import { inParts } from '../../services/database/in-parts.ts';
import { readStoredKey, states, type StoredKey } from '../key-row.ts';
import type { KeyFilter } from '../listed-key.ts';

/** Where keys are looked for. */
export type KeyScope = Pick<KeyFilter, 'organization' | 'project'>;

/** Where a key is, and its name. */
export type QualifiedName = Pick<StoredKey, 'organization' | 'project' | 'name'>;

const within = ({ organization, project }: KeyScope) => {
  const conditions = [sql`1 = 1`];
  if (organization !== undefined) conditions.push(sql`organization = ${organization}`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
};

/** The rows of the keys of an owner, by name or id. Not by OR: SQLite would read all keys in their order instead. */
export const ownedBy = (owner: string) =>
  sql<KeysTable>`(SELECT * FROM keys WHERE owner = ${owner} UNION SELECT * FROM keys WHERE owner_id = ${owner})`;

/** The keys of a name, the newest first. @param limit the largest number of keys */
export async function findNamed(
  database: Database,
  name: string,
  where: KeyScope,
  limit: number,
): Promise<readonly StoredKey[]> {
  const named = database.selectFrom('keys').selectAll().where('name', '=', name).where(within(where));
  return (await named.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(readStoredKey);
}

/** Names are compared by bytes, so this character is behind all that follow a beginning. */
const LAST = '\u{10ffff}';
const SIMILAR = 1_000;

/** Some names of keys that begin like this one. */
export async function findSimilar(database: Database, name: string, where: KeyScope): Promise<readonly string[]> {
  const begin = name.slice(0, Math.ceil(name.length / 2));
  const rows = await database
    .selectFrom('keys')
    .select('name')
    .where('name', '>=', begin)
    .where('name', '<', begin + LAST)
    .where(within(where))
    .orderBy('name')
    .limit(SIMILAR)
    .execute();
  return rows.map((row) => row.name);
}

/** Those of the names that have a key which is not revoked. */
export async function findPresent(
  database: Database,
  names: readonly QualifiedName[],
): Promise<readonly QualifiedName[]> {
  const found: QualifiedName[] = [];
  await inParts(names, async (part) => {
    const values = part.map(({ organization, project, name }) => sql`(${organization}, ${project}, ${name})`);
    const rows = await database
      .selectFrom('keys')
      .select(['organization', 'project', 'name'])
      .where(sql<boolean>`(organization, project, name) IN (VALUES ${sql.join(values)})`)
      .where('disabled', '<>', states.revoked)
      .execute();
    found.push(...rows);
  });
  return found;
}
