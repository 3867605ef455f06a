import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { Client } from 'pg';
import { GatewayError } from '../../errors/gateway-error.ts';
import { postgresDialect } from './dialect.ts';
import { databaseFailure, nameServer } from './failure.ts';
import { createdKeysMigration, keyChangesMigration } from './key-changes-schema.ts';

/** A table of the source. */
interface Table {
  readonly name: string;
  /** Its `CREATE` statement, with all columns that were added later. */
  readonly sql: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The statements of its indexes. */
  readonly indexes: readonly string[];
}

/** A table that was copied. */
export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
}

/** Rows of one statement. */
const BATCH = 2_000;
/** Sums of large integers would overflow SQLite's 64 bits: they are taken of remainders by this prime. */
const PRIME = 1_000_000_007;

const postgresTypes: ReadonlyMap<string, string> = new Map([
  ['INTEGER', postgresDialect.integer],
  ['REAL', postgresDialect.real],
  ['TEXT', postgresDialect.text],
  ['BLOB', postgresDialect.bytes],
]);

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Not copied, but created with its triggers, which differ by database. What it has is only for running gateways. */
const KEY_CHANGES = 'key_changes';

const readTables = (source: DatabaseSync): readonly Table[] =>
  source
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name, sql }) => ({
      name: String(name),
      sql: String(sql),
      columns: source
        .prepare('SELECT name, type FROM pragma_table_info(?)')
        .all(name ?? '')
        .map((column) => ({ name: String(column['name']), type: String(column['type']) })),
      indexes: source
        .prepare(
          "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY name",
        )
        .all(name ?? '')
        .map((index) => String(index['sql'])),
    }));

/** The statement of migrations for Postgres: they differ in the types of columns, and in what follows the columns. */
const translate = ({ sql }: Table): string =>
  sql
    .slice(0, sql.lastIndexOf(')') + 1)
    .replaceAll(/'[^']*'|\b(?:INTEGER|REAL|TEXT|BLOB)\b/g, (word) => postgresTypes.get(word) ?? word);

/** One figure for each column that changes with its values: remainders of integers, lengths of texts and bytes. */
const describeSums = ({ name, columns }: Table, bytesOf: (column: string) => string): string => {
  const sums = columns.map(({ name: column, type }) => {
    const quoted = quote(column);
    if (type === 'REAL') return `count(${quoted})`;
    return `coalesce(sum(${type === 'INTEGER' ? `${quoted} % ${PRIME}` : bytesOf(quoted)}), 0)`;
  });
  return `SELECT ${['count(*)', ...sums].map((sum, index) => `${sum} AS s${index}`).join(', ')} FROM ${quote(name)}`;
};
const readSums = (row: object): string => Object.values(row).map(String).join(' ');

const checkEmpty = async (target: Client, tables: readonly Table[]): Promise<void> => {
  const { rows } = await target.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY ($1) ORDER BY 1',
    [tables.map(({ name }) => name)],
  );
  if (rows.length > 0)
    throw new GatewayError(
      'KOINE_STORE_FAILED',
      `The target has tables of a gateway already (${rows.map(({ name }) => name).join(', ')}). ` +
        'Name an empty database, or a schema of its own: ?options=-csearch_path%3Dkoine.',
    );
};

const toParameter = (values: readonly SQLOutputValue[]): readonly unknown[] =>
  values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));

const copyRows = async (source: DatabaseSync, target: Client, { name, columns }: Table): Promise<number> => {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const arrays = columns.map(({ type }, index) => {
    const [element = ''] = (postgresTypes.get(type) ?? 'TEXT').split(' COLLATE');
    return `$${index + 1}::${element}[]`;
  });
  const insert = `INSERT INTO ${quote(name)} (${names}) SELECT * FROM unnest(${arrays.join(', ')})`;
  const select = source.prepare(`SELECT ${names} FROM ${quote(name)}`);
  select.setReadBigInts(true);
  let count = 0;
  let batch: Record<string, SQLOutputValue>[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await target.query(
      insert,
      columns.map((column) => toParameter(batch.map((row) => row[column.name] ?? null))),
    );
    count += batch.length;
    batch = [];
  };
  for (const row of select.iterate()) {
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return count;
};

const copyTable = async (source: DatabaseSync, target: Client, table: Table): Promise<CopiedTable> => {
  await target.query(translate(table));
  const rows = await copyRows(source, target, table);
  for (const index of table.indexes) await target.query(index);
  const ofSource = source.prepare(describeSums(table, (column) => `length(CAST(${column} AS BLOB))`));
  ofSource.setReadBigInts(true);
  const ofTarget = await target.query<object>(describeSums(table, (column) => `octet_length(${column})`));
  const [wanted, found] = [readSums(ofSource.get() ?? {}), readSums(ofTarget.rows[0] ?? {})];
  if (wanted !== found)
    throw new GatewayError(
      'KOINE_STORE_FAILED',
      `The sums of ${table.name} differ: ${wanted} in the source, ${found} in the target. Nothing was copied.`,
    );
  return { name: table.name, rows };
};

/** Changes whenever another connection commits. */
const versionOf = (source: DatabaseSync): unknown => source.prepare('PRAGMA data_version').get()?.['data_version'];

/**
 * Copies all tables of a SQLite database with their rows and indexes to a Postgres that has none of them, in one
 * transaction: all or nothing. Counts and sums of every column are compared before the commit.
 * @param path an existing file, which is only read
 * @throws GatewayError `KOINE_STORE_FAILED`; also if the source is written meanwhile
 */
export async function copyToPostgres(path: string, url: string): Promise<readonly CopiedTable[]> {
  const target = new Client({ connectionString: url, application_name: 'koine' });
  target.on('error', () => {});
  const source = new DatabaseSync(path, { readOnly: true });
  const observer = new DatabaseSync(path, { readOnly: true });
  try {
    await target.connect();
    const version = versionOf(observer);
    source.exec('BEGIN');
    const tables = readTables(source);
    await target.query('BEGIN');
    await checkEmpty(target, tables);
    const copied: CopiedTable[] = [];
    for (const table of tables) if (table.name !== KEY_CHANGES) copied.push(await copyTable(source, target, table));
    for (const { name, sql } of [keyChangesMigration, createdKeysMigration])
      if (source.prepare('SELECT name FROM koine_migrations WHERE name = ?').get(name) !== undefined)
        for (const statement of sql(postgresDialect)) await target.query(statement);
    if (versionOf(observer) !== version)
      throw new GatewayError(
        'KOINE_STORE_FAILED',
        `${path} was written meanwhile, so that the copy would lack rows. Stop the gateway first. Nothing was copied.`,
      );
    await target.query('COMMIT');
    return copied;
  } catch (error) {
    throw databaseFailure(`${path} could not be copied to ${nameServer(url)}`, error);
  } finally {
    // Without a commit, the end of the connection rolls back.
    await target.end().catch(() => {});
    source.close();
    observer.close();
  }
}
