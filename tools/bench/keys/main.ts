import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findKey } from '../../../core/server/explain/find-key.ts';
import { systemClock } from '../../../core/services/clock.ts';
import { dialectOf } from '../../../core/services/database/dialect.ts';
import { openDatabase, sql, type Database } from '../../../core/services/database/database.ts';
import { gatewayTables } from '../../../core/services/database/schema.ts';
import { createKeyRegister } from '../../../core/tenancy/key-register.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { createStoredKeys } from '../../../core/tenancy/cache/stored-keys.ts';
import { startPostgres } from '../../../test/support/servers/postgres.ts';

// `npm run bench:keys`: what the calls about keys cost with ten keys in the database and with a million. With
// --postgres, in a Postgres server that this command starts and removes.

const COUNTS = [10, 1_000_000];
const KNOWN = 200;
const TIMES = 20;
const now = Date.now();

const textOf = (index: number): string => `koine_${String(index).padStart(8, '0')}_secret`;
const digestOf = (index: number): Buffer => createHash('sha256').update(textOf(index)).digest();

/** Keys of 100 organizations with 100 projects each. The digests of all but the first are random. */
const fill = async (database: Database, count: number): Promise<void> => {
  const isPostgres = dialectOf(database).name === 'postgres';
  const numbers = isPostgres
    ? sql`SELECT CAST(i AS TEXT) AS i, i AS n FROM generate_series(0, ${sql.lit(count - 1)}) AS i`
    : sql`SELECT CAST(i AS TEXT) AS i, i AS n FROM (WITH RECURSIVE all_of(i) AS (SELECT 0 UNION ALL
        SELECT i + 1 FROM all_of WHERE i < ${sql.lit(count - 1)}) SELECT i FROM all_of)`;
  const random = isPostgres ? sql`sha256(convert_to(i || random(), 'UTF8'))` : sql`randomblob(32)`;
  await sql`INSERT INTO keys (id, name, digest, prefix, organization, project, models, disabled, created_at)
      SELECT 'id' || i, 'name-' || i, ${random}, 'koine_' || i, 'org-' || (n % 100), 'project-' || (n / 100 % 100),
        '[]', 0, ${sql.lit(now)} - 1000000000 + n FROM (${numbers}) AS numbers`.execute(database);
  for (let index = 0; index < Math.min(KNOWN, count); index += 1)
    await database
      .updateTable('keys')
      .set({ digest: digestOf(index) })
      .where('id', '=', `id${index}`)
      .execute();
  await sql`ANALYZE keys`.execute(database);
};

/** Prints the least and the middle time, and how long the event loop was held at most. */
const measure = async (name: string, call: (time: number) => Promise<unknown>): Promise<void> => {
  const samples: number[] = [];
  let longest = 0;
  let at = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - at);
    at = performance.now();
  }, 1);
  for (let time = 0; time < (name.includes('none') || name.includes('search') ? 3 : TIMES); time += 1) {
    const since = performance.now();
    await call(time);
    samples.push(performance.now() - since);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(watch);
  const sorted = samples.toSorted((one, other) => one - other);
  console.log(
    `${name.padEnd(44)}${(sorted[0] ?? 0).toFixed(1).padStart(9)} ms${(sorted[sorted.length >> 1] ?? 0)
      .toFixed(1)
      .padStart(9)} ms; longest turn ${longest.toFixed(0)} ms`,
  );
};

const run = async (url: string, count: number): Promise<void> => {
  const database = await openDatabase(url, { ...gatewayTables, timeoutMs: 3_600_000 });
  const filledAt = performance.now();
  await fill(database, count);
  console.log(`${dialectOf(database).name}, ${count} keys: filled in ${Math.round(performance.now() - filledAt)} ms`);
  const table = createKeyTable(database);
  const config = { organizations: {}, models: {} };
  const register = createKeyRegister({ config, table, clock: systemClock });
  const page = { sort: 'created', limit: 100, now } as const;
  const last = count - 1;
  const place = { organization: `org-${last % 100}`, project: 'project-x', name: 'missing' };
  const calls: Readonly<Record<string, (time: number) => Promise<unknown>>> = {
    'look up an unused key': async (time) => {
      const stored = createStoredKeys({ table, clock: systemClock });
      const index = time % Math.min(KNOWN, count);
      return stored.find(digestOf(index).toString('hex'), { digest: digestOf(index), text: textOf(index) });
    },
    'the changes of keys, once a second': () => table.readChanges(1),
    'a page, oldest first': () => register.page(page),
    'a page, newest first': () => register.page({ ...page, sort: '-created' }),
    'a page by name': () => register.page({ ...page, sort: 'name' }),
    'a page of one organization': () => register.page({ ...page, organization: 'org-7' }),
    'a page of one project': () => register.page({ ...page, organization: 'org-7', project: 'project-0' }),
    'a page of one owner': () => register.page({ ...page, owner: 'ann' }),
    'the revoked keys, of which there are none': () => register.page({ ...page, states: ['revoked'] }),
    'a search that finds the last key': () => register.page({ ...page, find: `name-${last}` }),
    'the version of the list': () => register.version(),
    'koine explain: a key by name': () =>
      findKey({ organizations: {}, table, clock: systemClock }, { key: `name-${last}` }),
    'koine explain: a name that no key has': () =>
      findKey({ organizations: {}, table, clock: systemClock }, { key: 'name-99999x' }).catch(() => {}),
    'koine keys import: 1,000 names': () =>
      register.present(Array.from({ length: 1_000 }, (_, index) => ({ ...place, name: `name-${index}` }))),
  };
  for (const [name, call] of Object.entries(calls)) await measure(name, call);
  console.log(`heap ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB`);
  await database.destroy();
};

if (process.argv.includes('--postgres')) {
  // A server does not keep this process.
  const running = setInterval(() => {}, 60_000);
  for (const count of COUNTS) {
    const server = await startPostgres('-c', 'shared_buffers=256MB', '-c', 'max_wal_size=4GB');
    await run(server.url, count);
    await server.stop();
  }
  clearInterval(running);
} else
  for (const count of COUNTS) {
    const file = join(tmpdir(), `koine-bench-keys-${count}.db`);
    if (existsSync(file)) rmSync(file);
    await run(`sqlite:${file}`, count);
    for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
  }
