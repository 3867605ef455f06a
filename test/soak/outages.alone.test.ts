import { expect } from 'chai';
import { compareBooks, type Outcome } from '../../tools/soak/outages/compare.ts';
import { outages } from '../../tools/soak/outages/plan.ts';
import { soakOutages } from '../../tools/soak/outages/run.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { requireRedis } from '../support/servers/redis.ts';

/** One of each kind. The last is that of which nothing hides a difference. */
const names = ['Redis stopped and started, empty', 'Postgres frozen', 'a gateway drained', 'a gateway killed'];

describe('a soak with outages', function () {
  this.timeout(400_000);
  let outcome: Outcome;
  before(async function () {
    requireRedis(this);
    requirePostgres(this);
    outcome = await soakOutages({
      outages: names.map((name) => outages.find((outage) => outage.name === name)!),
      isRoundChecked: () => false,
      seconds: 0,
      scale: 0.1,
      streams: 8,
      plain: 4,
      pace: { pieces: 4, every: 100 },
      lease: '1s',
      settleSeconds: 120,
      log: () => {},
    });
  });

  it('ledger, API, budgets, metrics, access log and clients agree after outages and kills', () => {
    expect(compareBooks(outcome).filter(({ good }) => !good)).to.deep.equal([]);
  });

  it('the run covers what it is made for', () => {
    const { books, tally } = outcome;
    const ends = books.lives.map(({ life }) => life.end).toSorted();
    expect(ends).to.deep.equal(['killed', 'serving', 'serving', 'stopped']);
    expect(tally.answered.size).to.be.above(50);
    expect(tally.answered.size, 'a kill cuts off responses').to.be.below(tally.sent.length);
    expect(books.budgets.map(({ size }) => size)).to.deep.equal([9, 9]);
    for (const { lines } of books.lives) expect(lines.size).to.be.above(0);
  });

  const wrong: readonly (readonly [what: string, found: string, change: (outcome: Outcome) => Outcome])[] = [
    [
      'a row that is missing',
      'a row for each whole response that called a provider',
      ({ books, ...rest }) => ({ ...rest, books: { ...books, rows: books.rows.slice(1) } }),
    ],
    [
      'a budget that has another amount',
      'ledger = budget',
      ({ books, ...rest }) => ({ ...rest, books: { ...books, budgets: [new Map([['one', 1]])] } }),
    ],
    [
      'a log without lines',
      'a line for each whole response',
      ({ books, ...rest }) => ({
        ...rest,
        books: { ...books, lives: books.lives.map((life) => ({ ...life, lines: new Map() })) },
      }),
    ],
    [
      'metrics that lack a request',
      'metric = log',
      ({ books, ...rest }) => ({
        ...rest,
        books: {
          ...books,
          lives: books.lives.map(({ life, ...book }) => ({
            ...book,
            life: { ...life, counted: { ...life.counted, requests: life.counted.requests - 1 } },
          })),
        },
      }),
    ],
    [
      'an API that has nothing',
      'ledger = API',
      ({ books, ...rest }) => ({ ...rest, books: { ...books, usage: [new Map()] } }),
    ],
  ];
  for (const [what, found, change] of wrong)
    it(`the comparison finds ${what}`, () => {
      const names = compareBooks(change(outcome)).flatMap(({ name, good }) => (good ? [] : [name]));
      expect(names).to.include(found);
    });
});
