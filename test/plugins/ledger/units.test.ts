import { expect } from 'chai';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../core/api/database.ts';
import { readCsvRows } from '../../../core/canonical/text/csv.ts';
import { writeCsv } from '../../../plugins/ledger/api/csv.ts';
import { createReport } from '../../../plugins/ledger/api/report.ts';
import { queries, type Queries, type QueryLedger, type QueryResult } from '../../../plugins/ledger/read/queries.ts';
import { readUsage } from '../../../plugins/ledger/read/usage.ts';
import { openRow } from '../../../plugins/ledger/open-row.ts';
import { at, settledRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { ledgerTables } from '../../../plugins/ledger/migrations.ts';
import { laterCounts, type LedgerSchema } from '../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../plugins/ledger/thread/insert.ts';
import { readSpoolFile } from '../../../plugins/ledger/spool/spool-files.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, targetOf, usageOf } from './setup.ts';

const writeTo = (database: LedgerDatabase, rows: readonly LedgerRow[]): Promise<void> =>
  createWriteRows(database, createAddRollup(database))('ours', rows);
const period = { from: NOW - HOUR, to: NOW + HOUR, where: {} };
const createQueryLedger =
  (database: LedgerDatabase): QueryLedger =>
  <Name extends keyof Queries>(name: Name, parameters: Parameters<Queries[Name]>[1]) => {
    const query = queries[name] as (from: LedgerDatabase, what: typeof parameters) => Promise<QueryResult<Name>>;
    return query(database, parameters);
  };

const usage = usageOf(100, 50, {
  cacheWrite12h: 7,
  units: { webSearches: 3, webFetches: 2, images: 4, seconds: 12.345, characters: 9 },
  tier: 'priority',
  region: 'us',
});
const settled = (outcome = outcomeOf([chargeOf(one, usage)])): LedgerRow => settledRow(exchangeOf(), outcome, NOW, NOW);

onBoth('units in the ledger', (database) => {
  it('stores units, cache writes of 12 hours, tier and region of a call', async () => {
    await writeTo(database(), [settled()]);
    expect(await database().selectFrom('ledger').selectAll().executeTakeFirst()).to.include({
      cache_write_12h_tokens: 7,
      web_searches: 3,
      web_fetches: 2,
      images: 4,
      media_ms: 12_345,
      characters: 9,
      tier: 'priority',
      region: 'us',
    });
  });

  it('sets units when an open row is settled, and has none before', async () => {
    const exchange = exchangeOf();
    await writeTo(database(), [openRow(exchange, NOW)]);
    const read = () =>
      database().selectFrom('ledger').select(['state', 'web_searches', 'tier']).executeTakeFirstOrThrow();
    expect(await read()).to.deep.equal({ state: 'pending', web_searches: 0, tier: null });
    await writeTo(database(), [settledRow(exchange, outcomeOf([chargeOf(one, usage)]), NOW, NOW)]);
    expect(await read()).to.deep.equal({ state: 'settled', web_searches: 3, tier: 'priority' });
  });

  it('stores the other models that the vendor used for a call, and each of several charges has its own', async () => {
    const advised = { ...chargeOf(one, usageOf(2, 1)), calls: [usageOf(1, 1), usageOf(1, 0, { model: 'adviser-1' })] };
    const served = chargeOf(targetOf('other/two'), usageOf(1, 1, { model: 'fallback-1' }), 1);
    await writeTo(database(), [
      settledRow(exchangeOf({ id: 'a' }), outcomeOf([advised]), NOW, NOW),
      settledRow(exchangeOf({ id: 'b' }), outcomeOf([advised, served]), NOW, NOW),
      settledRow(exchangeOf({ id: 'c' }), outcomeOf([served]), NOW, NOW),
      settledRow(exchangeOf({ id: 'd' }), outcomeOf([chargeOf(one, usageOf(1, 1))]), NOW, NOW),
    ]);
    const stored = await database().selectFrom('ledger').select(['vendor_models', 'charges']).orderBy('id').execute();
    expect(stored.map((row) => row.vendor_models)).to.deep.equal([
      '["adviser-1"]',
      '["adviser-1","fallback-1"]',
      '["fallback-1"]',
      null,
    ]);
    const charges = JSON.parse(stored[1]?.charges ?? '') as readonly { readonly vendor_models: unknown }[];
    expect(charges.map((charge) => charge.vendor_models)).to.deep.equal([['adviser-1'], ['fallback-1']]);
  });

  it('stores the version of the price that a call was charged with', async () => {
    const { price } = targetOf('vendor/adviser');
    await writeTo(database(), [settled(outcomeOf([{ ...chargeOf(one, usage), ...(price && { price }) }]))]);
    const { price_version: version } = await database()
      .selectFrom('ledger')
      .select('price_version')
      .executeTakeFirstOrThrow();
    expect(version).to.equal('of vendor/adviser');
  });

  it('removes from a tier what Postgres rejects, and shortens it', async () => {
    const tier = `a\0b${'c'.repeat(100)}`;
    await writeTo(database(), [settled(outcomeOf([chargeOf(one, usageOf(1, 1, { tier }))]))]);
    const { tier: stored } = await database().selectFrom('ledger').select('tier').executeTakeFirstOrThrow();
    expect(stored).to.match(/^abc{61}$/);
  });

  it('counts the units of each of several charges at its own target', async () => {
    const charges = [chargeOf(one, usage), chargeOf(targetOf('other/two'), usageOf(1, 1, { units: { images: 1 } }), 1)];
    await writeTo(database(), [settled(outcomeOf(charges))]);
    const lines = await readUsage(database(), { ...period, by: ['target'] });
    expect(
      lines.map(({ dimensions, counters }) => [dimensions.target, ...laterCounts.map((name) => counters[name])]),
    ).to.deep.equal([
      ['other/two', 0n, 0n, 0n, 1n, 0n],
      ['vendor/one', 7n, 3n, 2n, 4n, 12_345n],
    ]);
    const { charges: text } = await database().selectFrom('ledger').select('charges').executeTakeFirstOrThrow();
    const [first, second] = JSON.parse(text ?? '') as readonly object[];
    expect(first).to.include({ web_searches: 3, media_ms: 12_345, characters: 9, tier: 'priority', region: 'us' });
    expect(second).to.include({ images: 1 }).and.to.not.have.any.keys('web_searches', 'tier');
  });

  it('writes no text into CSV that a spreadsheet runs as a formula', () => {
    const lines = ['=1+1', '+1', '-2+3+cmd|x!A0', '-.', '@x', '\n=1', '\uff1d1', '-5', '-2.5', 'a=1'].map((user) => ({
      user,
    }));
    const [, ...rows] = readCsvRows(writeCsv({ by: ['user'], bucket: null, totals: {}, lines }));
    expect(rows.flat()).to.deep.equal([
      "'=1+1",
      "'+1",
      "'-2+3+cmd|x!A0",
      "'-.",
      "'@x",
      "'\n=1",
      "'\uff1d1",
      '-5',
      '-2.5',
      'a=1',
    ]);
  });

  it('reports units and all cache writes, in JSON and in CSV', async () => {
    await writeTo(database(), [settled(), settled()]);
    const report = await createReport(createQueryLedger(database()), {
      ...period,
      by: ['model'],
      limit: 10,
      hasPercentiles: false,
    });
    const units = { webSearches: 6, webFetches: 4, images: 8, seconds: 24.69, characters: 18 };
    expect(report.totals.units).to.deep.equal(units);
    expect(report.lines.map((line) => line.units)).to.deep.equal([units]);
    expect(report.totals.tokens).to.include({ input: 214, cacheWrite12h: 14 });
    const [names = '', line = ''] = writeCsv(report).split('\r\n');
    const cells = new Map(names.split(',').map((name, index) => [name, line.split(',')[index]]));
    expect(Object.keys(units).map((name) => cells.get(`units.${name}`))).to.deep.equal(['6', '4', '8', '24.69', '18']);
    expect(cells.get('tokens.cacheWrite12h')).to.equal('14');
  });
});

describeOnBoth('ledgers of an earlier version', (databases) => {
  it('rows and sums that were written before there were units read as zero, and are added to', async () => {
    const url = await databases.fresh();
    const owner = ledgerTables(10_000);
    const old = await openDatabase<LedgerSchema>(url, { ...owner, migrations: owner.migrations.slice(0, 3) });
    await sql`INSERT INTO ledger (id, process, state, opened_at, organization, project, key, route, wire, operation,
      model, attempts, input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens,
      reasoning_tokens) VALUES ('old', 'p', 'settled', 1, 'o', 'p', 'k', 'r', 'w', 'generate', 'm', 1, 0, 0, 0, 0, 0, 0)`.execute(
      old,
    );
    await old.destroy();
    const opened = await openDatabase<LedgerSchema>(url, owner);
    try {
      await writeTo(opened, [settled()]);
      const rows = await opened
        .selectFrom('ledger')
        .select(['web_searches', 'media_ms', 'tier'])
        .orderBy('id')
        .execute();
      expect(rows).to.deep.equal([
        { web_searches: 0, media_ms: 0, tier: null },
        { web_searches: 3, media_ms: 12_345, tier: 'priority' },
      ]);
      const before = NOW - 1_000 * HOUR;
      await sql`INSERT INTO ledger_usage (step, start, dimension, exchanges, ok, client_error, rate_limited, auth,
        upstream_error, timeout, client_closed, gateway_error, abandoned, unfinished, input_tokens, cache_read_tokens,
        cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, estimated, cost, unpriced,
        cache_saved, cache_lost, ok_ms)
        VALUES ('hour', ${before - (before % HOUR)}, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0)`.execute(
        opened,
      );
      const [line] = await readUsage(opened, {
        from: before - HOUR,
        to: before + HOUR,
        step: 'hour',
        by: [],
        where: {},
      });
      expect(line?.counters).to.include({ exchanges: 1n, web_searches: 0n, images: 0n, cache_write_12h_tokens: 0n });
    } finally {
      await opened.destroy();
    }
  });
});

describe('a spooled row of an earlier version', () => {
  it('a row that was spooled before there were units has zero of them', () => {
    const folder = createTemporaryFolder();
    const row = settledRow(exchangeOf(), outcomeOf([]), NOW, NOW);
    const path = join(folder.path, 'spool.ours.0');
    appendFileSync(path, `${JSON.stringify(row.slice(0, at.cache_write_12h_tokens))}\n`);
    expect(readSpoolFile(path)).to.deep.equal([row.with(at.stream, null)]);
    expect(row.slice(at.cache_write_12h_tokens, at.end_user)).to.deep.equal([0, 0, 0, 0, 0, null, null]);
    folder.remove();
  });
});
