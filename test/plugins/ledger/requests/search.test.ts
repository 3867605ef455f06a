import { expect } from 'chai';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import type { SearchQuery } from '../../../../plugins/ledger/read/search-query.ts';
import { search } from '../../../../plugins/ledger/read/search.ts';
import { refusedRow } from '../../../../plugins/ledger/refused-row.ts';
import { settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import type { LedgerTable } from '../../../../plugins/ledger/tables.ts';
import { markAbandoned, renewLease } from '../../../../plugins/ledger/thread/leases.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { createTestHead } from '../../../../core/testing/index.ts';
import { GatewayError, type Outcome } from '../../../../core/api/index.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, outcomeOf, targetOf, usageOf } from '../setup.ts';

const MINUTE = 60_000;
const everything: SearchQuery = { dimensions: {}, tags: [], limit: 500 };
const outcomes = ['ok', 'timeout', 'upstream_error', 'client_error'] as const;

/** The 240 rows: each third has the time of the one before, and each property a period of its own. */
const rowOf = (index: number): LedgerRow => {
  const endedAt = NOW - HOUR + Math.floor(index / 3) * MINUTE;
  const result = index % 5 === 0 ? (outcomes[(index / 5) % 4] ?? 'ok') : 'ok';
  const failure =
    result === 'ok' ? undefined : new GatewayError(result === 'timeout' ? 'upstream_timeout' : 'invalid_request');
  const target = targetOf(index % 11 === 0 ? 'backup/one' : `vendor/${index % 2 === 0 ? 'one' : 'two'}`);
  const exchange = exchangeOf({
    id: `req_${String(index * 7919).padStart(32, '0')}`,
    caller: { organization: index % 7 === 0 ? 'other' : 'acme', project: 'web', key: `key-${index % 4}`, models: [] },
    model: `vendor/${index % 3 === 0 ? 'chat' : 'small'}`,
    targets: [target],
    attribution: { user: index % 6 === 0 ? 'ann' : undefined, tags: index % 9 === 0 ? { team: 'blue' } : {} },
  });
  const head = { ...createTestHead(), id: exchange.id };
  const times = { total: ((index * 53) % 240) * 10, own: 1 };
  const outcome = outcomeOf([chargeOf(target, usageOf(((index * 37) % 240) * 100, 1))], {
    result,
    status: failure?.status ?? 200,
    times,
    ...(failure === undefined ? {} : { error: failure }),
  } as Partial<Outcome>);
  if (index % 40 === 13) return openRow(exchange, endedAt);
  if (index % 40 === 27) return refusedRow({ head, outcome: { ...outcome, result: 'auth', status: 401 } }, endedAt);
  return settledRow(exchange, outcome, endedAt - 10, endedAt);
};

const timeOf = (row: LedgerTable): number => row.ended_at ?? row.opened_at;
const byNewest = (one: LedgerTable, other: LedgerTable): number =>
  timeOf(other) - timeOf(one) || (one.id < other.id ? 1 : -1);

/** What a query means, in the words of a row. */
const searches: readonly (readonly [
  name: string,
  query: Partial<SearchQuery>,
  matches: (row: LedgerTable) => boolean,
])[] = [
  ['everything', {}, () => true],
  [
    'a time',
    { from: NOW - 40 * MINUTE, to: NOW - 10 * MINUTE },
    (row) => timeOf(row) >= NOW - 40 * MINUTE && timeOf(row) < NOW - 10 * MINUTE,
  ],
  ['a key of a name', { dimensions: { key: ['key-2'] } }, ({ key }) => key === 'key-2'],
  [
    'a key by its path',
    { dimensions: { key: ['other/web/key-2'] } },
    (row) => row.organization === 'other' && row.key === 'key-2',
  ],
  [
    'a project and a model',
    { dimensions: { project: ['acme/web'], model: ['vendor/chat'] } },
    (row) => row.organization === 'acme' && row.model === 'vendor/chat',
  ],
  ['a provider', { dimensions: { provider: ['backup'] } }, ({ target }) => target === 'backup/one'],
  ['a provider that nothing has', { dimensions: { provider: ['unknown'] } }, () => false],
  ['a user', { users: ['ann'] }, (row) => row.end_user === 'ann'],
  [
    'a user and a key',
    { users: ['ann', 'ben'], dimensions: { key: ['key-0'] } },
    (row) => row.end_user === 'ann' && row.key === 'key-0',
  ],
  [
    'failures',
    { outcomes: ['timeout', 'upstream_error'] },
    ({ outcome }) => outcome === 'timeout' || outcome === 'upstream_error',
  ],
  [
    'failures of a key',
    { outcomes: ['timeout'], dimensions: { key: ['key-1'] } },
    (row) => row.outcome === 'timeout' && row.key === 'key-1',
  ],
  ['successes', { outcomes: ['ok'] }, ({ outcome }) => outcome === 'ok'],
  ['a code', { codes: ['upstream_timeout'] }, ({ code }) => code === 'upstream_timeout'],
  ['a status', { statuses: [401, 504] }, ({ status }) => status === 401 || status === 504],
  ['slow ones', { minDurationMs: 1_500 }, (row) => (row.total_ms ?? 0) >= 1_500],
  ['slow ones, by part of a millisecond', { minDurationMs: 1_499.5 }, (row) => (row.total_ms ?? 0) >= 1_499.5],
  [
    'costly ones of a model',
    { minCost: 22_000_000, dimensions: { model: ['vendor/small'] } },
    (row) => Number(row.cost ?? 0) >= 22_000_000 && row.model === 'vendor/small',
  ],
  ['a tag', { tags: [{ name: 'team', value: 'blue' }] }, ({ tags }) => tags === '{"team":"blue"}'],
];

onBoth('the search for requests', (database) => {
  let rows: readonly LedgerTable[] = [];
  beforeEach(async () => {
    await renewLease(database(), 'ours', HOUR);
    const write = createWriteRows(database(), createAddRollup(database()));
    await write(
      'ours',
      Array.from({ length: 240 }, (_, index) => rowOf(index)),
    );
    await write('dead', [openRow(exchangeOf({ id: 'req_dead' }), NOW - 30 * MINUTE)]);
    await markAbandoned(database(), createAddRollup(database()));
    rows = (await database().selectFrom('ledger').selectAll().execute()).toSorted(byNewest);
    expect(new Set(rows.map(({ state }) => state))).to.deep.equal(
      new Set(['settled', 'pending', 'refused', 'abandoned']),
    );
  });

  for (const [name, query, matches] of searches) {
    it(`finds ${name}, whatever the length of a page and the rows that it may examine`, async () => {
      const expected = rows.filter(matches).map(({ id }) => id);
      for (const [limit, examined, streams] of [
        [500, 20_000, 50],
        [7, 20_000, 2],
        [1, 1, 3],
        [3, 60, 50],
      ] as const) {
        const found: string[] = [];
        let after: SearchQuery['after'];
        do {
          const page = await search(
            database(),
            { ...everything, ...query, limit, ...(after && { after }) },
            { examined, streams },
          );
          expect(page.rows.length).to.be.at.most(limit);
          found.push(...page.rows.map(({ id }) => id));
          after = page.next;
        } while (after !== undefined);
        expect(found, `${limit} of ${examined}, ${streams} streams`).to.deep.equal(expected);
      }
    });
  }

  it('ends a page early when it has examined enough, and says where it continues', async () => {
    const query = { ...everything, tags: [{ name: 'team', value: 'unknown' }], limit: 5 };
    const page = await search(database(), query, { examined: 12, streams: 50 });
    expect(page.rows).to.deep.equal([]);
    expect(page.next?.at).to.be.greaterThan(NOW);
  });
});
