import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, sql } from '../../../../core/api/database.ts';
import { describeRequest } from '../../../../plugins/ledger/api/describe-request.ts';
import { readRequestsRequest } from '../../../../plugins/ledger/api/requests-request.ts';
import { ledgerTables, searchIndexes } from '../../../../plugins/ledger/migrations.ts';
import { search } from '../../../../plugins/ledger/read/search.ts';
import { planSearch } from '../../../../plugins/ledger/read/search-plan.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { startThread } from '../../../../plugins/ledger/thread.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { hasSearchIndexes } from '../../../../plugins/ledger/thread/search-indexes.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const rowOfEarlierVersion = sql`INSERT INTO ledger (id, process, state, opened_at, ended_at, organization, project, key,
  route, wire, operation, model, target, status, outcome, attempts, input_tokens, cache_read_tokens,
  cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, usage_source, cost)
  VALUES ('req_old', 'p', 'settled', 1, 2, 'acme', 'web', 'alice', 'r', 'w', 'generate', 'm', 'vendor/m', 504,
    'timeout', 1, 3, 0, 0, 0, 4, 0, 'provider', 5000)`;
const dimensionsOfEarlierVersion = sql`INSERT INTO ledger_dimensions (id, organization, project, key, route, wire,
  operation, model, provider, target)
  VALUES (1, 'acme', 'web', 'alice', 'r', 'w', 'generate', 'm', 'vendor', 'vendor/m')`;

/** A ledger without the columns and indexes of searches, with one request. */
const openEarlier = async (url: string): Promise<LedgerDatabase> => {
  const owner = ledgerTables(10_000);
  const before = owner.migrations.findIndex(({ name }) => name === '007-requests');
  const database = await openDatabase<LedgerSchema>(url, { ...owner, migrations: owner.migrations.slice(0, before) });
  for (const { name } of searchIndexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(database);
  await rowOfEarlierVersion.execute(database);
  await dimensionsOfEarlierVersion.execute(database);
  return database;
};
const query = readRequestsRequest({ key: 'acme/web/alice', outcome: 'failure' });

/** docs/reference/ledger.md has the statements that create the indexes before an update. */
const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/ledger.md'), 'utf8');
const statements = /```sql.*\n([^]*?)```/.exec(page)?.[1]?.split(';').slice(0, -1) ?? [];

describeOnBoth('requests of an earlier version', (databases) => {
  it('are found after an upgrade, and have null for what was not stored, also with indexes that exist', async () => {
    const url = await databases.fresh();
    expect(statements).to.have.length(3);
    const old = await openEarlier(url);
    for (const statement of statements)
      await sql.raw(databases.kind === 'sqlite' ? statement.replace(' CONCURRENTLY', '') : statement).execute(old);
    await old.destroy();

    const database = await openDatabase<LedgerSchema>(url, ledgerTables(10_000));
    const { rows } = await search(database, query);
    await database.destroy();
    expect(rows.map(({ id }) => id)).to.deep.equal(['req_old']);
    const [row] = rows;
    if (row === undefined) throw new Error('there is no row');
    expect(describeRequest(row, undefined)).to.deep.include({
      stream: null,
      code: null,
      message: null,
      upstreamRequestId: null,
      cost: '0.000005',
      losses: [],
      attemptTrail: [
        {
          provider: 'vendor',
          model: 'm',
          credential: null,
          startedMs: null,
          durationMs: null,
          status: 504,
          outcome: 'timeout',
          code: null,
          upstreamRequestId: null,
        },
      ],
    });
  });

  it('are found while a gateway creates the indexes, again those that were not finished', async () => {
    const url = await databases.fresh();
    const old = await openEarlier(url);
    const [first] = statements;
    if (databases.kind === 'postgres' && first !== undefined) {
      await sql.raw(first).execute(old);
      await sql`UPDATE pg_index SET indisvalid = false
        WHERE indexrelid = to_regclass('ledger_search')`.execute(old);
    }
    await old.destroy();

    const folder = createTemporaryFolder();
    const { log } = createTestServices();
    const lines: object[] = [];
    const thread = await startThread(
      {
        url,
        writes: {
          process: 'ours',
          durability: 'batched',
          leaseMs: 15_000,
        },
      },
      { log: { ...log, info: (fields: object) => void lines.push(fields) }, onReport: () => {} },
    );
    const database = await openDatabase<LedgerSchema>(url, ledgerTables(10_000));
    expect(await hasSearchIndexes(database)).to.equal(databases.kind === 'sqlite');
    // Rows that are read by time are neighbours, and weigh less.
    const weights = async (): Promise<readonly number[]> =>
      (await (await planSearch(database, query, 50))(undefined)).streams.map(({ weight }) => weight);
    expect(await weights()).to.deep.equal(databases.kind === 'sqlite' ? [1, 4] : [1, 1]);
    expect((await search(database, query)).rows).to.have.length(1);
    thread.startHousekeeping({
      leaseMs: 15_000,
      retentionMs: 1e15,
      usageRetentionMs: 1e15,
      spoolPath: join(folder.path, 'spool'),
    });
    await until('the indexes', () => hasSearchIndexes(database));
    expect(await weights()).to.deep.equal([1, 4]);
    await database.destroy();
    await thread.close();
    folder.remove();
    expect(lines.filter((fields) => 'index' in fields)).to.deep.equal(
      databases.kind === 'sqlite' ? [] : searchIndexes.map(({ name }) => ({ index: name })),
    );
  });
});
