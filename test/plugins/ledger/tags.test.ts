import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../../core/api/database.ts';
import type { Attribution, SpendingQuery } from '../../../core/api/index.ts';
import { readSpent } from '../../../plugins/ledger/read/spent.ts';
import { markAbandoned } from '../../../plugins/ledger/thread/leases.ts';
import { openRow } from '../../../plugins/ledger/open-row.ts';
import { at, settledRow } from '../../../plugins/ledger/row.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../../plugins/ledger/tables.ts';
import { readSpoolFile } from '../../../plugins/ledger/spool/spool-files.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { requirePostgres, startPostgres } from '../../support/servers/postgres.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, usageOf } from './setup.ts';

const tags = { 'mine.team': 'blue', 'mine.seats': 3, 'mine.trial': false };

onBoth('the tags of a row', (database) => {
  it('stores tags as JSON, and null without any', async () => {
    const rows = [
      settledRow(exchangeOf({ id: 'one' }), outcomeOf([], { annotations: { tags, log: { 'mine.x': 1 } } }), NOW, NOW),
      settledRow(exchangeOf({ id: 'two' }), outcomeOf([], { annotations: { log: { 'mine.x': 1 } } }), NOW, NOW),
    ];
    await createWriteRows(database(), createAddRollup(database()))('ours', rows);
    const stored = await database().selectFrom('ledger').select(['id', 'tags']).orderBy('id').execute();
    expect(stored.map((row) => (row.tags === null ? null : JSON.parse(row.tags)))).to.deep.equal([tags, null]);
  });
});

onBoth('the spending of one user or tag', (database) => {
  const costly = (attribution: Attribution, key: string, endedAt = NOW) =>
    settledRow(
      exchangeOf({ attribution, caller: { key, project: 'web', organization: 'acme', models: [] } }),
      outcomeOf([chargeOf(one, usageOf(100, 0))]),
      endedAt,
      endedAt,
    );

  it('is read from the rows, also from those that were abandoned', async () => {
    const write = createWriteRows(database(), createAddRollup(database()));
    await write('ours', [
      costly({ user: 'ann', tags: { team: 'search' } }, 'alice'),
      costly({ user: 'ann' }, 'bob', NOW - HOUR),
      costly({ user: 'ben', tags: { team: "o'neil" } }, 'alice'),
    ]);
    await write('dead', [openRow(exchangeOf({ attribution: { user: 'cid', tags: { team: 'search' } } }), NOW)]);
    await markAbandoned(database(), createAddRollup(database()));
    const spent = (more: Partial<SpendingQuery>) =>
      readSpent(database(), { path: ['acme'], models: [], since: NOW - 2 * HOUR, ...more });
    expect(await spent({ user: 'ann' })).to.equal(200_000n);
    expect(await spent({ user: 'ann', path: ['acme', 'web', 'bob'] })).to.equal(100_000n);
    expect(await spent({ user: 'ann', since: NOW })).to.equal(100_000n);
    expect(await spent({ user: 'ann', until: NOW })).to.equal(100_000n);
    expect(await spent({ user: 'ann', models: ['other/*'] })).to.equal(0n);
    expect(await spent({ user: 'cid' })).to.equal(120_000n);
    expect(await spent({ tag: { name: 'team', value: 'search' } })).to.equal(220_000n);
    expect(await spent({ tag: { name: 'team', value: "o'neil" } })).to.equal(100_000n);
    expect(await spent({ tag: { name: 'env', value: 'search' } })).to.equal(0n);
  });
});

describe('rows of an earlier version', () => {
  for (const store of ['sqlite', 'postgres'] as const) {
    it(`rows that were written before the column existed have no tags (${store})`, async function () {
      if (store === 'postgres') requirePostgres(this);
      const server = store === 'postgres' ? await startPostgres() : undefined;
      const folder = createTemporaryFolder();
      const url = server?.url ?? `sqlite:${folder.path}/koine.db`;
      const owner = ledgerTables(10_000);
      const old = await openDatabase<LedgerSchema>(url, { ...owner, migrations: owner.migrations.slice(0, 2) });
      await sql`INSERT INTO ledger (id, process, state, opened_at, organization, project, key, route, wire, operation,
        model, attempts, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens,
        reasoning_tokens) VALUES ('old', 'p', 'settled', 1, 'o', 'p', 'k', 'r', 'w', 'generate', 'm', 1, 0, 0, 0, 0, 0, 0)`.execute(
        old,
      );
      await old.destroy();
      const opened = await openDatabase<LedgerSchema>(url, owner);
      const stored = await opened.selectFrom('ledger').select(['id', 'tags']).execute();
      await opened.destroy();
      await server?.stop();
      folder.remove();
      expect(stored).to.deep.equal([{ id: 'old', tags: null }]);
    });
  }

  it('a spooled row without the column is completed', () => {
    const folder = createTemporaryFolder();
    const row = settledRow(exchangeOf(), outcomeOf([]), NOW, NOW);
    const path = join(folder.path, 'spool.ours.0');
    appendFileSync(path, `${JSON.stringify(row.slice(0, at.tags))}\n`);
    expect(readSpoolFile(path)).to.deep.equal([row.with(at.stream, null)]);
    folder.remove();
  });
});
