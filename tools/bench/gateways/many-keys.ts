import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../core/services/database/database.ts';
import { createKey, type NewKey } from '../../../core/tenancy/key-format.ts';
import { writeRow } from '../../../core/tenancy/key-row.ts';

/** Rows of one statement. */
const AT_ONCE = 500;

/** Keys of one project in a new SQLite database. @returns the setting `database` */
export async function fillKeys(keys: readonly NewKey[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'koine-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'bench.db')}`;
  const database = await openDatabase(url);
  const createdAt = Date.now();
  const project = { organization: 'bench', project: 'bench', models: [], createdAt };
  const rows = keys.map(({ text: _secret, ...key }, index) => writeRow({ key, name: `key-${index}`, ...project }));
  await database.transaction().execute(async (transaction) => {
    for (let first = 0; first < rows.length; first += AT_ONCE)
      await transaction
        .insertInto('keys')
        .values(rows.slice(first, first + AT_ONCE))
        .execute();
  });
  await database.destroy();
  return url;
}

/** So many that each is sent less than once a second. */
const manyKeys = Array.from({ length: 10_000 }, createKey);

/** Keys that the lane `many keys` sends in turn. */
export const manyKeyTexts: readonly string[] = manyKeys.map(({ text }) => text);

/** Settings of a gateway whose database has these keys. */
export const withManyKeys = async (): Promise<Readonly<Record<string, unknown>>> => ({
  store: { database: await fillKeys(manyKeys) },
});
