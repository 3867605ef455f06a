import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../../core/api/database.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { counterNames, type CounterName, type LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { reconcile } from '../../../../plugins/ledger/reconcile/command.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';

const recorded: readonly (readonly [day: string, target: string, counters: Partial<Record<CounterName, number>>])[] = [
  [
    '2026-11-19',
    'cloud/big',
    { exchanges: 2, input_tokens: 1_000, cache_read_tokens: 50, output_tokens: 100, cost: 4_000_000 },
  ],
  [
    '2026-11-20',
    'cloud/big',
    { exchanges: 4, input_tokens: 2_000, cache_read_tokens: 60, output_tokens: 200, cost: 8_000_000 },
  ],
  ['2026-11-20', 'cloud/small', { exchanges: 1, input_tokens: 10, output_tokens: 1, cost: 1_000 }],
  ['2026-11-20', 'other/big', { exchanges: 9, input_tokens: 9, output_tokens: 9, cost: 9 }],
];

describeOnBoth('koine reconcile', (databases) => {
  const folder = createTemporaryFolder();
  const bill = join(folder.path, 'bill.csv');
  let databaseUrl = '';
  before(async () => {
    databaseUrl = await databases.fresh();
    const database = await openDatabase<LedgerSchema>(databaseUrl, ledgerTables(10_000));
    for (const [index, [day, target, counters]] of recorded.entries()) {
      const dimension = {
        id: index,
        organization: 'acme',
        project: 'web',
        key: 'alice',
        route: '/',
        wire: 'w',
        operation: 'generate',
        model: target,
        provider: target.slice(0, target.indexOf('/')),
        target,
      };
      await database.insertInto('ledger_dimensions').values(dimension).execute();
      const none = Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<CounterName, number>;
      await database
        .insertInto('ledger_usage')
        .values({
          step: 'day',
          start: Date.parse(day),
          dimension: index,
          ...none,
          ...counters,
          total_times: '',
          first_times: '',
        })
        .execute();
    }
    await database.destroy();
  });
  after(() => folder.remove());

  const run = async (
    text: string,
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly lines: readonly string[] }> => {
    writeFileSync(bill, text);
    const lines: string[] = [];
    const code = await reconcile.run(['--bill', bill, '--provider', 'cloud', ...args], {
      options: {},
      databaseUrl,
      providers: ['cloud', 'other'],
      print: (line) => void lines.push(line),
    });
    return { code, lines };
  };
  const good =
    'date,model,requests,input_tokens,cached_tokens,output_tokens,cost\n2026-11-19,big,2,1050,50,100,0.004\n' +
    '2026-11-20,big-2026-05-01,4,2060,60,200,0.008\n2026-11-20,small,1,10,0,1,0.000001\n';

  it('finds no difference when a bill names a dated snapshot of a model', async () => {
    const { code, lines } = await run(good);
    expect(lines).to.deep.equal([
      'No differences in 15 figures.',
      'Total cost: $0.012001 in the bill, $0.012001 in the ledger.',
    ]);
    expect(code).to.equal(0);
  });

  it('reconcile prints differences by day and model and exits with 1', async () => {
    const { code, lines } = await run(
      good
        .replace('200,0.008', '250,0.01')
        .replace('2026-11-20,small,1,10,0,1,0.000001\n', '2026-11-20,huge,1,5,0,0,0\n'),
    );
    expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).to.deep.equal([
      'day model figure bill ledger ledger − bill',
      '2026-11-20 big output 250 200 -20.00 %',
      '2026-11-20 big cost $0.01 $0.008 -20.00 %',
      '2026-11-20 huge requests 1 0 -100.00 %',
      '2026-11-20 huge input 5 0 -100.00 %',
      '2026-11-20 small requests 0 1 not in the bill',
      '2026-11-20 small input 0 10 not in the bill',
      '2026-11-20 small output 0 1 not in the bill',
      '2026-11-20 small cost $0 $0.000001 not in the bill',
      '8 of 20 figures differ.',
      'Total cost: $0.014 in the bill, $0.012001 in the ledger.',
      '',
      'What can explain the differences, with the largest rows:',
      ' 2026-11-20 huge: the ledger does not have this model: the calls bypassed the gateway, or had another provider',
    ]);
    expect(code).to.equal(1);
  });

  it('reconcile ignores differences within the tolerance', async () => {
    const off = good.replace('100,0.004', '100,0.00402');
    expect((await run(off)).code).to.equal(0);
    expect((await run(off, '--tolerance', '0.001')).code).to.equal(1);
    expect((await run(off, '--tolerance', '0')).lines[1]).to.match(/^2026-11-19 {2}big {4}cost/);
  });

  it('compares only the figures and days that the bill has', async () => {
    const { code, lines } = await run('day,model,cost\n2026-11-19,big,0.004\n');
    expect([code, lines[0]]).to.deep.equal([0, 'No differences in 1 figures.']);
  });

  for (const args of [['--format', 'json']])
    it(`reconcile prints JSON with ${args.join(' ')}`, async () => {
      const { lines } = await run('day,model,cost\n2026-11-19,big,0.005\n', ...args);
      const line = { day: '2026-11-19', model: 'big', figure: 'cost', bill: '0.005', ledger: '0.004', share: -0.2 };
      expect(JSON.parse(lines.join('\n'))).to.deep.equal({
        format: 'plain',
        provider: 'cloud',
        compared: 1,
        lines: [line],
        differences: [line],
        others: [],
        explanations: [],
        cost: { bill: '0.005', ledger: '0.004' },
        hasMore: false,
      });
    });

  it('a day on which the vendor charged nothing is compared, also if the whole report is empty', async () => {
    const report = '{"data":[{"starting_at":"2026-11-19T00:00:00Z","results":[]}],"has_more":false}';
    const { code, lines } = await run(report, '--bill-format', 'anthropic-costs');
    expect([code, lines.at(-1)]).to.deep.equal([1, 'Total cost: $0 in the bill, $0.004 in the ledger.']);
  });

  it('reconcile prints every figure with --all', async () => {
    const { code, lines } = await run('day,model,cost\n2026-11-19,big,0.004\n', '--all');
    expect([code, ...lines.slice(0, 3).map((line) => line.replaceAll(/ +/g, ' '))]).to.deep.equal([
      0,
      'day model figure bill ledger ledger − bill',
      '2026-11-19 big cost $0.004 $0.004 +0.00 %',
      'No differences in 1 figures.',
    ]);
  });

  const wrongArguments: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /--bill/],
    [['--bill', '/nowhere/bill.csv', '--provider', 'cloud'], /\/nowhere\/bill\.csv cannot be read/],
    [['--bill', bill], /--provider is required, one of: cloud, other/],
    [['--bill', bill, '--provider', 'clod'], /no provider "clod"/],
    [['--bill', bill, '--provider', 'cloud', '--tolerance', '2'], /--tolerance/],
    [['--bill', bill, '--provider', 'cloud', '--format', 'xml'], /--format/],
    [['--bill', bill, '--provider', 'cloud', '--bill-format', 'pdf'], /--bill-format must be one of openai-costs, /],
    [['--colour'], /--colour/],
  ];
  for (const [args, message] of wrongArguments) {
    it(`explains the wrong arguments ${JSON.stringify(args.join(' ').replace(bill, 'FILE'))}`, async () => {
      writeFileSync(bill, good);
      const failed = await reconcile
        .run(args, { options: {}, databaseUrl, providers: ['cloud', 'other'], print: () => {} })
        .catch((thrown: unknown) => thrown);
      expect(failed).to.include({ code: 'invalid_request' });
      expect(String(failed)).to.match(message);
    });
  }
});
