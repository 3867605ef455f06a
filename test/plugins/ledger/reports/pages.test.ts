import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { openDatabase, sql } from '../../../../core/api/database.ts';
import { readUsageRequest } from '../../../../plugins/ledger/api/usage-request.ts';
import { handleUsage } from '../../../../plugins/ledger/api/usage-endpoint.ts';
import type { ReportLine, UsageReport } from '../../../../plugins/ledger/api/report.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { HOURS_KEPT_MS } from '../../../../plugins/ledger/periods.ts';
import { queries, type QueryLedger } from '../../../../plugins/ledger/read/queries.ts';
import { readReport } from '../../../../plugins/ledger/read/report.ts';
import { settledRow } from '../../../../plugins/ledger/row.ts';
import { counterNames, type LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { prune } from '../../../../plugins/ledger/thread/prune.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { buildViews } from '../../../../plugins/ledger/thread/views.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, usageOf } from '../setup.ts';

const DAY = 24 * HOUR;
const KEYS = 40;

/** Usage of forty keys on two days; a key with a higher number has more. */
const fill = async (database: LedgerDatabase): Promise<void> => {
  const rows = Array.from({ length: 2 * KEYS }, (_, index) => {
    const key = index % KEYS;
    const caller = { key: `k${key}`, project: 'web', organization: 'acme', models: [] };
    const ended = NOW - Math.floor(index / KEYS) * DAY;
    const exchange = exchangeOf({ caller, attribution: { user: `user-${key}` } });
    return settledRow(exchange, outcomeOf([chargeOf(one, usageOf(10 * (key + 1), 1))]), ended - 5, ended);
  });
  await createWriteRows(database, createAddRollup(database))('ours', rows);
};
const time = { from: new Date(NOW - 3 * DAY).toISOString(), to: new Date(NOW + HOUR).toISOString() };
const nameOf = (by: string, { start = '', ...line }: ReportLine): string => `${start} ${String((line as never)[by])}`;

onBoth('pages of usage reports', (database) => {
  /** Rows that statements returned. */
  let returned = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      returned += result.rows.length;
      return result;
    },
  };
  const queryLedger: QueryLedger = (name, parameters) =>
    (queries[name] as Function)(database().withPlugin(counting), parameters);
  const read = async (query: Readonly<Record<string, string>>): Promise<UsageReport> =>
    (await handleUsage(queryLedger, NOW, 400 * DAY, { ...time, ...query })).body as UsageReport;
  const refusal = (query: Readonly<Record<string, string>>): Promise<string> =>
    read(query).then(
      () => '',
      (error: unknown) => String(error),
    );
  beforeEach(() => fill(database()));

  const paged = [{ by: 'key' }, { by: 'key', bucket: 'day' }, { by: 'user' }, { by: 'user', bucket: 'day' }] as const;
  for (const query of paged)
    for (const isReady of [false, true])
      it(`all pages have the lines of one: ${JSON.stringify(query)}${isReady ? ', from views' : ''}`, async () => {
        if (isReady) await buildViews(database(), NOW, () => {});
        const whole = await read(query);
        expect([whole.lines.length, whole.next]).to.deep.equal(['bucket' in query ? 2 * KEYS : KEYS, null]);
        const lines: ReportLine[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = await read({ ...query, limit: '7', ...(cursor === undefined ? {} : { cursor }) });
          expect(page.lines.length).to.be.within(1, 7);
          expect(page.totals).to.deep.equal(whole.totals);
          lines.push(...page.lines);
          cursor = page.next;
        }
        expect(lines).to.deep.equal(whole.lines);
        const names = lines.map((line) => nameOf(query.by, line));
        expect(names).to.deep.equal(names.toSorted());
      });

  for (const by of ['key', 'user'])
    it(`top has the largest of ${by}, and the others as one, in the whole time and in each bucket`, async () => {
      const { lines, other = [], groups, totals } = await read({ by, top: '3' });
      const names = ['39', '38', '37'].map((number) => (by === 'key' ? `acme/web/k${number}` : `user-${number}`));
      expect(lines.map((line) => (line as never)[by])).to.deep.equal(names);
      expect([groups, other.length]).to.deep.equal([KEYS, 1]);
      expect(lines.reduce((sum, line) => sum + line.tokens.input, other[0]?.tokens.input ?? 0)).to.equal(
        totals.tokens.input,
      );
      expect(other[0]?.exchanges).to.equal(2 * (KEYS - 3));
      const daily = await read({ by, top: '2', sort: 'tokens', bucket: 'day' });
      expect(daily.lines.map((line) => (line as never)[by])).to.deep.equal([
        ...names.slice(0, 2),
        ...names.slice(0, 2),
      ]);
      expect(daily.other?.map(({ exchanges }) => exchanges)).to.deep.equal([KEYS - 2, KEYS - 2]);
      expect((await read({ by, top: '100' })).other).to.deep.equal([]);
    });

  it('a page reads no more rows than it has lines for, in each statement', async () => {
    await buildViews(database(), NOW, () => {});
    const all = await read({ by: 'key', limit: '5' });
    expect(all.lines).to.have.length(5);
    returned = 0;
    await read({ by: 'key', limit: '5', bucket: 'day', percentiles: 'true' });
    expect(returned).to.be.at.most(20);
    returned = 0;
    await read({ by: 'key', top: '3', percentiles: 'true' });
    // The keys of the whole month, twenty for each line at most, are candidates.
    expect(returned).to.be.at.most(30 + KEYS);
  });

  it('percentiles are read only when they are asked for', async () => {
    const none = { p50: null, p95: null, p99: null };
    const plain = await read({ by: 'key' });
    expect([plain.totals.latencyMs, plain.lines[0]?.latencyMs]).to.deep.equal([none, none]);
    const { totals, lines } = await read({ by: 'key', percentiles: 'true' });
    expect([totals.latencyMs.p50, lines[0]?.firstContentMs.p50]).to.satisfy((each: unknown[]) =>
      each.every((value) => typeof value === 'number'),
    );
  });

  it('CSV with more lines than a page is refused, or read page by page by the header link', async () => {
    const reply = await handleUsage(queryLedger, NOW, 400 * DAY, { ...time, by: 'key', format: 'csv', limit: '25' });
    const [, address = ''] = /^<\?(.*)>; rel="next"$/.exec(reply.headers?.['link'] ?? '') ?? [];
    const next = await handleUsage(queryLedger, NOW, 400 * DAY, Object.fromEntries(new URLSearchParams(address)));
    expect(next.headers?.['link']).to.equal(undefined);
    const rows = [reply.body, next.body].flatMap((body) => String(body).trimEnd().split('\r\n').slice(1));
    expect(rows.map((row) => row.split(',')[0])).to.have.length(KEYS);
    expect(new Set(rows.map((row) => row.split(',')[0])).size).to.equal(KEYS);
  });

  it('a report that takes too long says what to narrow', async () => {
    const result = await readReport(database(), {
      from: NOW - DAY,
      to: NOW + HOUR,
      by: ['key'],
      where: {},
      limit: 10,
      until: 0,
    });
    expect(result).to.equal(undefined);
    const slow: QueryLedger = () => Promise.resolve(undefined as never);
    const texts = [
      [{ by: 'user' }, /not complete within 9 s.*reads the rows.*shorter time/],
      [{ by: 'key,model' }, /a sum for each pair of a key and a model.*filter by project or key/],
      [{ by: 'key', bucket: 'day' }, /shorter time \(from, to\), or longer buckets/],
    ] as const;
    for (const [query, text] of texts) {
      const error: unknown = await handleUsage(slow, NOW, 400 * DAY, { ...time, ...query }).catch((each) => each);
      expect(error).to.include({ status: 400 }).and.have.property('message').that.matches(text);
    }
  });

  it('hours are kept for sixty days, and reports of earlier times have whole days', async () => {
    const later = NOW + HOURS_KEPT_MS + 2 * DAY;
    const settings = { leaseMs: 1, spoolPath: '', retentionMs: 900 * DAY, usageRetentionMs: 900 * DAY };
    await prune(database(), settings, NOW + HOURS_KEPT_MS - 2 * DAY);
    const steps = async (): Promise<ReadonlySet<string>> =>
      new Set((await database().selectFrom('ledger_usage').select('step').execute()).map(({ step }) => step));
    expect([...(await steps())].filter((step) => step.endsWith('hour'))).to.have.length(3);
    await prune(database(), settings, later);
    expect([...(await steps())].toSorted()).to.deep.equal([
      'day',
      'key/day',
      'key/month',
      'model/day',
      'model/month',
      'month',
    ]);
    const { from, to } = readUsageRequest(time, later, 0);
    expect([from % DAY, to % DAY]).to.deep.equal([0, 0]);
    const old = (await handleUsage(queryLedger, later, 900 * DAY, time)).body as UsageReport;
    expect(old.totals.exchanges).to.equal(2 * KEYS);
    const error: unknown = await handleUsage(queryLedger, later, 900 * DAY, { ...time, bucket: 'hour' }).catch(
      (e) => e,
    );
    expect(String(error)).to.match(/Sums by hour are kept for 60 days, since 20/);
  });

  const refused = [
    [{ by: 'key', top: '0' }, /top must be a number from 1 to 100/],
    [{ top: '5' }, /write by=model/],
    [{ by: 'key', sort: 'cost' }, /write top=10/],
    [{ by: 'key', top: '5', sort: 'name' }, /sort must be one of cost, exchanges, tokens/],
    [{ by: 'key', top: '5', limit: '5' }, /leave out limit/],
    [{ by: 'key', limit: '5001' }, /limit must be a number from 1 to 5000/],
    [{ by: 'key', cursor: 'x' }, /cursor must be the `next`/],
    [{ by: 'key', cursor: Buffer.from('[null,1]').toString('base64url') }, /cursor must be the `next`/],
    [{ by: 'key', bucket: 'day', cursor: Buffer.from('[null,"a"]').toString('base64url') }, /cursor must be/],
    [{ percentiles: 'yes' }, /percentiles must be true or false/],
  ] as const;
  for (const [query, text] of refused)
    it(`refuses ${JSON.stringify(query)}`, async () => expect(await refusal(query)).to.match(text));
});

describe('the memory of a report', function () {
  this.timeout(120_000);
  const folder = createTemporaryFolder();
  after(() => folder.remove());

  it('is at most 64 MB, however many keys there are', async () => {
    const url = `sqlite:${join(folder.path, 'large.db')}`;
    const database = await openDatabase<LedgerSchema>(url, ledgerTables(60_000));
    await sql`INSERT INTO ledger_dimensions (id, organization, project, key, route, wire, operation, model, provider, target)
      WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 20000)
      SELECT i, 'acme', 'web', 'key-' || i, '/', 'w', 'generate', 'vendor/m', 'vendor', 'vendor/m' FROM numbers`.execute(
      database,
    );
    const zeros = counterNames.map(() => '7').join(', ');
    await sql
      .raw(`INSERT INTO ledger_usage (step, start, dimension, ${counterNames.join(', ')}, total_times, first_times)
        SELECT 'day', ${NOW - (NOW % DAY)} - day * ${DAY}, id, ${zeros}, replace(hex(zeroblob(150)), '00', '33:7 '), '21:7 ' FROM ledger_dimensions,
        (SELECT 0 AS day UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4)`)
      .execute(database);
    await database.destroy();
    const program = join(import.meta.dirname, 'large-report.ts');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=64', '--max-semi-space-size=4', program, url, String(NOW)],
      { encoding: 'utf8' },
    );
    expect(status, stderr.slice(0, 500)).to.equal(0);
    const sizes = stdout.trim().split('\n').map(Number);
    expect(sizes).to.have.length(5);
    for (const size of sizes) expect(size).to.be.within(500, 8_000_000);
  });
});
