import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../core/services/database/database.ts';
import { createKey } from '../../core/tenancy/key-format.ts';
import { writeRow } from '../../core/tenancy/key-row.ts';

const MODELS = 10_000;
const KEYS = 100_000;
const AT_ONCE = 500;

const rowOf = (index: number, now: number) => {
  const { text: _secret, ...key } = createKey();
  return writeRow({ key, name: `key-${index}`, organization: 'bench', project: 'bench', models: [], createdAt: now });
};

const fillDatabase = async (file: string): Promise<void> => {
  const database = await openDatabase(`sqlite:${file}`);
  const now = Date.now();
  await database.transaction().execute(async (transaction) => {
    for (let first = 0; first < KEYS; first += AT_ONCE) {
      const rows = Array.from({ length: AT_ONCE }, (_, index) => rowOf(first + index, now));
      await transaction.insertInto('keys').values(rows).execute();
    }
  });
  await database.destroy();
};

/** Settings of a gateway with 10,000 models in its configuration and 100,000 keys in its database. */
export async function largeCatalog(): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), 'koine-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bench.db');
  await fillDatabase(file);
  const model = { targets: [{ provider: 'openai', model: 'bench' }], price: { input: 1, output: 2 } };
  const named = Array.from({ length: MODELS }, (_, index) => [`openai/model-${index}`, model] as const);
  return {
    store: { database: `sqlite:${file}` },
    models: { ...Object.fromEntries(named), 'openai/bench': model },
  };
}
