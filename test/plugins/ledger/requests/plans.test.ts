import { expect } from 'chai';
import { openDatabase, dialectOf, sql } from '../../../../core/api/database.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { Rows } from '../../../../plugins/ledger/read/attributed.ts';
import { planSearch } from '../../../../plugins/ledger/read/search-plan.ts';
import type { SearchQuery } from '../../../../plugins/ledger/read/search-query.ts';
import { search, searchLimits, selectStreams } from '../../../../plugins/ledger/read/search.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { fillMonth, MONTH } from '../../../../tools/bench/requests/fill.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { readRequestsRequest } from '../../../../plugins/ledger/api/requests-request.ts';

const ROWS = 20_000;

/** The query parameters, and the index that a search for them must read. */
const searches: readonly (readonly [parameters: Readonly<Record<string, string>>, index: string])[] = [
  [{}, 'ledger_ended'],
  [{ from: '2026-10-05', to: '2026-10-06' }, 'ledger_ended'],
  [{ minCost: '1' }, 'ledger_ended'],
  [{ tag: 'team:team-1' }, 'ledger_ended'],
  [{ key: 'org-0/project-3/key-279' }, 'ledger_search'],
  [{ key: 'key-5', provider: 'vendor', from: '2026-10-05' }, 'ledger_search'],
  [{ user: 'user-30' }, 'ledger_user'],
  [{ outcome: 'failure' }, 'ledger_failed'],
  [{ status: '504,429' }, 'ledger_failed'],
  [{ key: 'key-5', outcome: 'timeout' }, 'ledger_search_failed'],
];

describeOnBoth('the plans of searches for requests', (databases) => {
  let database: LedgerDatabase;
  before(async () => {
    database = await openDatabase<LedgerSchema>(await databases.fresh(), ledgerTables(60_000));
    await fillMonth(database, ROWS);
  });
  after(() => database.destroy());

  const describePlan = async (select: ReturnType<typeof sql>): Promise<string> => {
    const explainer = dialectOf(database).name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const { rows } = await sql<object>`${sql.raw(explainer)} ${select}`.execute(database);
    return rows.map((row) => JSON.stringify(Object.values(row))).join('\n');
  };
  const explain = async (query: SearchQuery): Promise<string> => {
    const { streams } = await (await planSearch(database, query, searchLimits.streams))(undefined);
    const ended = streams.filter(({ time }) => time === 'ended_at').slice(0, 1);
    const [select] = selectStreams(ended, query, { at: MONTH.to, id: 'req_' }, query.limit + 1);
    if (select === undefined) throw new Error('no index is read');
    return describePlan(select);
  };

  it('reads a usage report of one end user by the index of users', async () => {
    const source = new Rows(database, { by: ['model'], where: { user: ['user-30'] } }, [MONTH.from, MONTH.to]);
    const [chunk = { from: 0, to: 0 }] = source.chunks;
    expect(await describePlan(source.read(chunk, ['cost'], {}))).to.match(/ledger_user\b|_end_user_/);
  });

  for (const [name, value] of [
    ['project', 'project-3'],
    ['model', 'vendor/model-3'],
    ['key', 'key-5'],
  ] as const) {
    it(`finds a page in one step for a ${name}`, async () => {
      let statements = 0;
      const counting = database.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements += 1;
          return result;
        },
      });
      await search(counting, readRequestsRequest({ [name]: value }));
      statements = 0;
      const { rows } = await search(counting, readRequestsRequest({ [name]: value }));
      expect(rows).to.have.length(50);
      // They count the combinations of dimensions, find the newest ones, examine them, and read the rows of the page.
      expect(statements).to.equal(4);
    });
  }

  for (const [parameters, index] of searches) {
    it(`reads the index ${index} for ${JSON.stringify(parameters)}, in its order`, async () => {
      const plan = await explain(readRequestsRequest(parameters));
      expect(plan).to.match(new RegExp(`\\b${index}\\b`));
      expect(plan).to.not.match(/Seq Scan|SCAN ledger\b/);
    });
  }
});
