import { expect } from 'chai';
import { openDatabase } from '../../../../core/api/database.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { registerSink } from '../../../../plugins/ledger/sinks/register.ts';
import { Shipper } from '../../../../plugins/ledger/sinks/shipper.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import type { LedgerDatabase } from '../../../../plugins/ledger/thread/insert.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { idOf, rowOf } from './rows.ts';

describe('Shipper', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let database: LedgerDatabase;
  let shippers: Shipper[];
  let logged: string[];
  beforeEach(async () => {
    folder = createTemporaryFolder();
    database = await openDatabase<LedgerSchema>(`sqlite:${folder.path}/koine.db`, ledgerTables(1_000));
    [shippers, logged] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(shippers.map((shipper) => shipper.stop()));
    await database.destroy();
    folder.remove();
  });

  const write = (...ids: readonly string[]): Promise<void> =>
    createWriteRows(database, createAddRollup(database))(
      'ours',
      ids.map((id) => rowOf(idOf(id))),
    );
  /** A sink that keeps the ids of each batch. @param failures how many batches it keeps, and refuses */
  const start = (name: string, failures = 0, rows = 100) => {
    const seen = { batches: [] as string[], closed: 0, rows: 0, failures: 0 };
    shippers.push(
      new Shipper({
        name,
        everyMs: 10,
        rows,
        database,
        process: 'ours',
        register: () => registerSink(database, name, true),
        open: async () => ({
          write: async (batch) => {
            seen.batches.push(batch.map(({ id }) => id.slice(-1)).join(''));
            if (seen.batches.length <= failures) throw new Error('out of order');
          },
          check: async () => {},
          close: async () => void (seen.closed += 1),
        }),
        report: (figures) => {
          seen.rows += figures.rows;
          seen.failures += figures.failures;
        },
        log: (level, _fields, text) => void logged.push(`${level}: ${text}`),
      }),
    );
    return seen;
  };

  it('writes a batch that failed again as it was, with a client of its own, and then what came meanwhile', async () => {
    await registerSink(database, 'a', false);
    await write('1', '2');
    const seen = start('a', 1);
    await until('the batch has failed', () => seen.failures === 1);
    await write('3');
    await until('all rows are shipped', () => seen.rows === 3);
    expect(seen.batches).to.deep.equal(['12', '12', '3']);
    expect(seen.closed).to.equal(1);
    expect(logged).to.deep.equal([
      'error: the sink of the ledger gets no rows; they wait in the database',
      'info: the sink of the ledger gets its rows again',
    ]);
  });

  it('ships to one sink while another fails', async () => {
    for (const sink of ['a', 'b']) await registerSink(database, sink, false);
    await write('1');
    const [failing, other] = [start('a', Infinity), start('b')];
    await until('both have tried', () => failing.failures > 0 && other.rows === 1);
    await write('2');
    await until('one has all rows', () => other.rows === 2);
    expect(failing.rows).to.equal(0);
  });

  it('ships the history in batches, after the rows that are new', async () => {
    await write('1', '2', '3');
    await registerSink(database, 'a', true);
    await write('4');
    const seen = start('a', 0, 2);
    await until('all rows are shipped', () => logged.length > 0);
    expect(seen.batches).to.deep.equal(['4', '12', '3']);
    expect(logged).to.deep.equal(['info: the sink of the ledger has the rows from before it']);
  });
});
