import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../../core/api/database.ts';
import type { Charge, Target } from '../../../../core/api/index.ts';
import { createTestPrice } from '../../../../core/testing/price.ts';
import { reconcile } from '../../../../plugins/ledger/reconcile/command.ts';
import { readCharges } from '../../../../plugins/ledger/reconcile/day-charges.ts';
import { settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, outcomeOf, targetOf, usageOf } from '../setup.ts';
import { billPath } from './fixtures.ts';

/** A token costs a millionth of a dollar. */
const gpt = targetOf('openai/gpt-5.2');
const older: Target = { ...gpt, price: createTestPrice({ input: 1_000_000_000n, output: 0n, version: 'older' }) };
const flash = targetOf('google/gemini-2.5-flash');

const rowOf = (id: string, at: string, ...charges: readonly Charge[]): LedgerRow =>
  settledRow(exchangeOf({ id }), outcomeOf(charges), Date.parse(at) - 1_000, Date.parse(at));

const rows: readonly LedgerRow[] = [
  rowOf('plain', '2026-11-19T00:00:00Z', chargeOf(gpt, usageOf(50_000, 0))),
  rowOf('other', '2026-11-19T23:59:59.999Z', chargeOf(gpt, usageOf(1_000, 0))),
  rowOf('estimated', '2026-11-19T10:00:00Z', chargeOf(gpt, usageOf(70_000, 0, { source: 'estimated' }))),
  rowOf('searched', '2026-11-19T10:00:00Z', chargeOf(gpt, usageOf(30_000, 0, { units: { webSearches: 3 } }))),
  rowOf('unpriced', '2026-11-19T11:00:00Z', chargeOf({ ...targetOf('openai/gpt-5.2', false) }, usageOf(9, 9))),
  rowOf('older', '2026-11-19T12:00:00Z', chargeOf(older, usageOf(2_000, 0))),
  rowOf(
    'several',
    '2026-11-19T13:00:00Z',
    chargeOf(gpt, usageOf(20_000, 0, { source: 'estimated' })),
    chargeOf(flash, usageOf(5_000_000, 0), 1),
  ),
  rowOf('next-day', '2026-11-20T00:00:00Z', chargeOf(targetOf('openai/gpt-4.1'), usageOf(3_000, 0))),
  rowOf('advised', '2026-11-21T12:00:00Z', {
    ...chargeOf(gpt, usageOf(4_000, 0)),
    calls: [usageOf(3_000, 0), usageOf(1_000, 0, { model: 'gpt-5.2-mini-2026-01-01' })],
  }),
  rowOf('flash', '2026-11-19T23:30:00Z', chargeOf(flash, usageOf(1_000_000, 0))),
];

describeOnBoth('what koine reconcile explains', (databases) => {
  let databaseUrl: string;
  let database: LedgerDatabase;
  before(async () => {
    databaseUrl = await databases.fresh();
    database = await openDatabase<LedgerSchema>(databaseUrl, ledgerTables(10_000));
    await createWriteRows(database, createAddRollup(database))('ours', rows);
  });
  after(() => database.destroy());

  const run = async (file: string, provider: string, ...args: readonly string[]) => {
    const lines: string[] = [];
    const code = await reconcile.run(
      ['--bill', file.includes('/') ? file : billPath(file), '--provider', provider, ...args],
      {
        options: {},
        databaseUrl,
        providers: ['openai', 'google'],
        print: (line) => void lines.push(line),
      },
    );
    return { code, text: lines.join('\n') };
  };
  interface Report {
    readonly differences: readonly { readonly day: string; readonly bill: string; readonly ledger: string }[];
    readonly others: readonly unknown[];
    readonly explanations: readonly {
      readonly day: string;
      readonly kind: string;
      readonly rows: number;
      readonly cost: string;
      readonly largest: readonly string[];
      readonly detail?: string;
    }[];
    readonly cost: unknown;
  }
  const read = async (file: string, provider: string): Promise<Report> =>
    JSON.parse((await run(file, provider, '--format', 'json')).text) as Report;

  it('compares what the vendor charged for a model with the ledger, on its days in UTC', async () => {
    const { differences, cost } = await read('openai-costs.json', 'openai');
    expect(differences.map(({ day, bill, ledger }) => [day, bill, ledger])).to.deep.equal([
      ['2026-11-19', '0.1000012', '0.173'],
      ['2026-11-20', '0', '0.003'],
    ]);
    expect(cost).to.deep.equal({ bill: '0.1300012', ledger: '0.176' });
  });

  it('explains a difference by the rows of each kind, and names the largest', async () => {
    const { explanations } = await read('openai-costs.json', 'openai');
    expect(
      explanations.map(({ day, kind, rows: count, cost, largest, detail }) => [
        day,
        kind,
        count,
        cost,
        largest,
        detail,
      ]),
    ).to.deep.equal([
      ['2026-11-19', 'estimated', 2, '0.09', ['estimated', 'several'], undefined],
      ['2026-11-19', 'unpriced', 1, '0', ['unpriced'], undefined],
      ['2026-11-19', 'price', 1, '0.002', ['older'], 'older'],
      ['2026-11-19', 'units', 1, '0.03', ['searched'], undefined],
      ['2026-11-20', 'not-in-bill', 1, '0.003', ['next-day'], undefined],
    ]);
  });

  it('lists what the vendor charged without a model, which is a finding', async () => {
    const { others } = await read('openai-costs.json', 'openai');
    expect(others).to.deep.equal([
      { day: '2026-11-19', text: 'web search tool calls', isOutside: false, cost: '0.03' },
    ]);
    const { code, text } = await run('openai-costs.json', 'openai', '--tolerance', '1');
    expect(code).to.equal(1);
    const explained = text.split('\n').filter((line) => line.startsWith('  2026-11-19 gpt'));
    expect(explained, 'the rows that searched, also without a difference of the model').to.have.length(1);
    expect(explained[0]).to.match(/searches, images or seconds, .* 1 row, \$0\.03, searched$/);
  });

  it('prints the explanations, the other items and that there are more pages', async () => {
    const { code, text } = await run('openai-costs.json', 'openai');
    expect(code).to.equal(1);
    expect(text).to.include('Total cost: $0.1300012 in the bill, $0.176 in the ledger.');
    expect(text).to.include('  2026-11-19 web search tool calls: $0.03');
    expect(text).to.include('  2026-11-19 gpt-5.2: estimated usage, 2 rows, $0.09, estimated, several\n');
    expect(text).to.include('  2026-11-19 gpt-5.2: another version of the price (older), 1 row, $0.002, older\n');
    expect(text).to.match(/has_more/);
  });

  it('maps the SKUs of Google, adds credits, and lists what is no usage of models', async () => {
    const { code, text } = await run('google-billing.jsonl', 'google', '--all');
    expect(code).to.equal(1);
    expect(text).to.match(/2026-11-19 {2}gemini-2\.5-flash {2}cost +\$1\.0000005 +\$6 /);
    expect(text).to.include('  2026-11-20 Gemini 3.0 Pro Image Output: $1\n');
    expect(text).to.include('  2026-11-20 Compute Engine: $12.5\n');
    expect(text).to.include('Total cost: $2.0700005 in the bill, $6 in the ledger.');
  });

  it('names calls for which the vendor used another model, under both models', async () => {
    const folder = createTemporaryFolder();
    const file = join(folder.path, 'bill.csv');
    writeFileSync(file, 'day,model,cost\n2026-11-21,gpt-5.2,0.003\n2026-11-21,gpt-5.2-mini,0.001\n');
    const { explanations } = await read(file, 'openai');
    folder.remove();
    expect(explanations).to.deep.equal([
      {
        day: '2026-11-21',
        model: 'gpt-5.2',
        kind: 'other-model',
        rows: 1,
        cost: '0.004',
        largest: ['advised'],
        detail: 'gpt-5.2-mini-2026-01-01',
      },
      {
        day: '2026-11-21',
        model: 'gpt-5.2-mini',
        kind: 'used-by',
        rows: 1,
        cost: '0.004',
        largest: ['advised'],
        detail: 'gpt-5.2',
      },
    ]);
  });

  it('reads the rows of a day page by page, each once', async () => {
    const ids: string[] = [];
    for await (const { id, target } of readCharges(database, '2026-11-19', 2)) ids.push(`${id} ${target.slice(0, 6)}`);
    expect(ids).to.have.members([
      'plain openai',
      'other openai',
      'estimated openai',
      'searched openai',
      'unpriced openai',
      'older openai',
      'several openai',
      'several google',
      'flash google',
    ]);
  });
});
