import { existsSync } from 'node:fs';
import { MisuseError, parseOptions } from '../command.ts';
import { migrateOptions } from '../options/requests.ts';

/** `koine store migrate`: copies a SQLite database to an empty Postgres. */
export async function migrate(args: readonly string[]): Promise<number> {
  const { from = '', to = '' } = parseOptions(args, migrateOptions);
  const path = /^sqlite:(.+)$/.exec(from)?.[1];
  if (path === undefined || !/^postgres(?:ql)?:\/\/./.test(to))
    throw new MisuseError(
      'Give both databases as in store.database: --from sqlite:./data/koine.db --to postgres://user@host/database.',
    );
  if (!existsSync(path)) throw new MisuseError(`There is no database ${path} to copy.`);
  const { copyToPostgres } = await import('../../services/database/copy-to-postgres.ts');
  const tables = await copyToPostgres(path, to);
  for (const { name, rows } of tables) console.log(`${name}: ${rows} rows`);
  console.error('Copied all tables; counts and sums of every column are equal. Now set store.database to the target.');
  return 0;
}
