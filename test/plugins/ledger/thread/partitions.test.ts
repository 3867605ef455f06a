import { expect } from 'chai';
import { Client } from 'pg';
import { openDatabase, sql } from '../../../../core/api/database.ts';
import { newOrderedId } from '../../../../core/lanes/new-id.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { findRequest, search } from '../../../../plugins/ledger/read/search.ts';
import { readUsage } from '../../../../plugins/ledger/read/usage.ts';
import { readRequestsRequest } from '../../../../plugins/ledger/api/requests-request.ts';
import { at, settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { prune } from '../../../../plugins/ledger/thread/prune.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { createPartitions, listPartitions } from '../../../../plugins/ledger/thread/partitions.ts';
import { hasSearchIndexes } from '../../../../plugins/ledger/thread/search-indexes.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { freshPostgres } from '../../../support/servers/databases.ts';
import { requirePostgres } from '../../../support/servers/postgres.ts';
import { chargeOf, exchangeOf, HOUR, NOW, one, outcomeOf, usageOf } from '../setup.ts';

const DAY = 24 * HOUR;
const RETENTION = 30 * DAY;

const rowAt = (time: number): LedgerRow => {
  const exchange = exchangeOf({ id: newOrderedId('req_', time) });
  return settledRow(exchange, outcomeOf([chargeOf(one, usageOf(10, 5))]), time, time + 50);
};

describe('partitions of the ledger', () => {
  before(function () {
    requirePostgres(this);
  });
  let url: string;
  let database: LedgerDatabase;
  let logged: string[];
  beforeEach(async () => {
    url = await freshPostgres();
    database = await openDatabase<LedgerSchema>(url, ledgerTables(40_000));
    logged = [];
  });
  afterEach(() => database.destroy());

  const write = (rows: readonly LedgerRow[]) => createWriteRows(database, createAddRollup(database))('ours', rows);
  const convert = (now = NOW, retentionMs = RETENTION) =>
    createPartitions(database, url, retentionMs, now, (_level, _fields, text) => void logged.push(text));
  const tables = async (): Promise<readonly string[]> =>
    ((await listPartitions(database)) ?? []).map(({ name }) => name);
  const countOf = async (table: string): Promise<number> =>
    Number(
      (await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.ref(table)}`.execute(database)).rows[0]?.count,
    );
  const keep = (now: number) =>
    prune(database, { leaseMs: 1, spoolPath: '', retentionMs: RETENTION, usageRetentionMs: 900 * DAY }, now);
  const exchanges = async (): Promise<bigint | undefined> =>
    (await readUsage(database, { from: NOW - 90 * DAY, to: NOW + 90 * DAY, step: 'month', by: [], where: {} })).reduce(
      (sum, { counters }) => sum + counters.exchanges,
      0n,
    );

  it('the table becomes the first partition without being rewritten, whichever gateway is first', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => rowAt(NOW - index * HOUR));
    await write(rows);
    const nodeOf = async (table: string): Promise<unknown> =>
      (await sql<{ node: unknown }>`SELECT pg_relation_filenode(${table}::regclass) AS node`.execute(database)).rows[0]
        ?.node;
    const node = await nodeOf('ledger');
    await Promise.all([convert(), convert(), convert()]);
    expect(logged).to.deep.equal(['the rows of the ledger are in partitions from now on']);
    expect(await tables()).to.deep.equal(['ledger_before', 'ledger_20261128', 'ledger_20261129', 'ledger_rest']);
    expect(await nodeOf('ledger_before')).to.equal(node);
    expect([await countOf('ledger'), await countOf('ledger_before')]).to.deep.equal([50, 50]);
    expect(await hasSearchIndexes(database)).to.equal(true);
    await convert();
    expect(logged).to.have.length(1);
  });

  it('a row that is written again is counted once, before and after the conversion and in a new partition', async () => {
    const [old, young] = [rowAt(NOW), rowAt(NOW + 7.5 * DAY)];
    await write([old]);
    await convert();
    for (let time = 0; time < 3; time += 1) await write([old, young]);
    expect([await countOf('ledger'), await countOf('ledger_20261128'), await exchanges()]).to.deep.equal([2, 1, 2n]);
    expect((await findRequest(database, { id: young[at.id] }))?.cost).to.equal(20_000);
    const found = await search(database, readRequestsRequest({ key: 'acme/web/alice' }));
    expect(found.rows.map(({ id }) => id)).to.deep.equal([young[at.id], old[at.id]]);
  });

  it('writers lose nothing while the table is converted, and a long statement delays it', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT count(*) FROM ledger');
    const state = { isConverted: false };
    const converting = convert().finally(() => (state.isConverted = true));
    let written = 0;
    for (const until = performance.now() + 2_500; performance.now() < until; written += 5)
      await write(Array.from({ length: 5 }, () => rowAt(NOW)));
    expect(state.isConverted).to.equal(false);
    await client.query('COMMIT');
    await client.end();
    while (!state.isConverted) {
      await write([rowAt(NOW)]);
      written += 1;
    }
    await converting;
    expect(await listPartitions(database)).to.have.length(4);
    expect([await countOf('ledger'), await exchanges()]).to.deep.equal([written, BigInt(written)]);
  });

  it('partitions are created ahead, and dropped whole when all their rows have expired', async () => {
    await write([rowAt(NOW - 3 * DAY), rowAt(NOW)]);
    await convert();
    await keep(NOW + 8 * DAY);
    await write([rowAt(NOW + 8 * DAY), rowAt(NOW + 10 * DAY)]);
    expect((await tables()).slice(-3)).to.deep.equal(['ledger_20261201', 'ledger_20261202', 'ledger_rest']);
    // Rows of the table before are deleted one by one, until it has expired as well.
    await keep(NOW + 28 * DAY);
    expect([await countOf('ledger_before'), await countOf('ledger')]).to.deep.equal([1, 3]);
    await keep(NOW + 41 * DAY);
    const left = await tables();
    expect(left).to.include('ledger_20261201').and.not.include('ledger_before').and.not.include('ledger_20261129');
    expect(await countOf('ledger')).to.equal(1);
    await keep(NOW + 43 * DAY);
    expect([await countOf('ledger'), await exchanges()]).to.deep.equal([0, 4n]);
  });

  it('rows without a partition are kept, and move to theirs when it is created', async () => {
    await convert();
    const late = rowAt(NOW + 40 * DAY);
    await write([late]);
    expect(await countOf('ledger_rest')).to.equal(1);
    await keep(NOW + 40 * DAY);
    expect([await countOf('ledger_rest'), await countOf('ledger_20261231')]).to.deep.equal([0, 1]);
    await write([late]);
    expect(await exchanges()).to.equal(1n);
  });

  it('what a killed process has left of a conversion rejects no row for long', async () => {
    await sql`ALTER TABLE ledger ADD CONSTRAINT ledger_end CHECK (id < 'req_0') NOT VALID`.execute(database);
    const rejected: unknown = await write([rowAt(NOW)]).catch((error: unknown) => error);
    expect(String(rejected)).to.match(/ledger_end/);
    await keep(NOW);
    await write([rowAt(NOW)]);
    await convert();
    expect([await countOf('ledger'), (await tables())[0]]).to.deep.equal([1, 'ledger_before']);
  });

  it('partitions have months when rows are kept for long', async () => {
    await convert(NOW, 400 * DAY);
    expect(await tables()).to.deep.equal([
      'ledger_before',
      'ledger_20261128',
      'ledger_20261201',
      'ledger_20270101',
      'ledger_rest',
    ]);
  });

  it('a ledger with ids of another form stays as it is, and takes further rows', async () => {
    await write([rowAt(NOW), settledRow(exchangeOf({ id: 'req_zzz' }), outcomeOf([]), NOW, NOW)]);
    await convert();
    expect(await listPartitions(database)).to.equal(undefined);
    expect(logged[0]).to.match(/could not get partitions/);
    await write([rowAt(NOW + 100 * DAY)]);
    expect(await countOf('ledger')).to.equal(3);
  });
});
