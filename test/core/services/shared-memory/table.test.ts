import { expect } from 'chai';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SharedTable } from '../../../../core/contracts/services.ts';
import { Arena, createMemory, TOP } from '../../../../core/services/shared-memory/arena.ts';
import { createOpenTable, createTables, openOwnTable } from '../../../../core/services/shared-memory/tables.ts';

const program = new URL('./adding-thread.ts', import.meta.url);
type Column = 'all' | 'first' | 'second';
const options = { columns: ['all', 'first', 'second'], rows: 3 } as const;
const rowNames = ['row 0', 'row 1', 'row 2'];

const sumOf = (table: SharedTable<Column>): Record<Column, number> => {
  const sum = { all: 0, first: 0, second: 0 };
  for (const name of rowNames) for (const column of options.columns) sum[column] += table.read(name)?.[column] ?? 0;
  return sum;
};

describe('a table that threads share', function () {
  this.timeout(120_000);
  const open = async (tables = createTables()) => {
    const call = (message: unknown) => tables.handle(message, 0);
    const table = await createOpenTable('acme', { call })('counts', options);
    const { memory } = (await call({ extension: 'acme', name: 'counts', ...options })) as { memory: SharedArrayBuffer };
    const start = (worker: number, times: number) =>
      new Worker(program, { workerData: { memory, worker, times, options } });
    return { tables, table, start };
  };

  it('two threads lose no count, and a thread that is terminated leaves nothing half done', async () => {
    const { tables, table, start } = await open();
    const steady = start(1, 60_000);
    const ended = once(steady, 'exit');
    for (let round = 0; round < 5; round += 1) {
      const mortal = start(2, Infinity);
      await once(mortal, 'message');
      await mortal.terminate();
      tables.onWorkerExit?.(2);
    }
    await ended;
    const { all, first, second } = sumOf(table);
    expect(first).to.equal(60_000);
    expect(second).to.be.above(0);
    expect(all).to.equal(first + second);
    expect(table.add('row 0', 'all', 2)).to.equal(table.read('row 0')?.all ?? 0);
  });

  it('changes nothing where a change throws, returns a promise, uses the table or is no number', async () => {
    const { table } = await open();
    table.add('row 0', 'all', 5);
    const spoil = (then: (row: Record<Column, number>) => unknown) => () =>
      table.update('row 0', (row) => {
        row.all = 99;
        return then(row);
      });
    expect(
      spoil(() => {
        throw new Error('no');
      }),
    ).to.throw('no');
    expect(spoil(async () => {})).to.throw('returned a promise');
    expect(spoil(() => table.read('row 1'))).to.throw('was used by a function that changes one of its rows');
    expect(spoil((row) => (row.first = Number.NaN))).to.throw('cannot have the number NaN');
    expect(() => table.add('row 0', 'third' as Column, 1)).to.throw('no column third, only all, first, second');
    expect(table.read('row 0')).to.deep.equal({ all: 5, first: 0, second: 0 });
  });

  it('keeps as many rows as it may have, those that were changed last, through many keys', async () => {
    const { table } = await open();
    for (let index = 0; index < 5_000; index += 1) {
      table.add(`key ${index}`, 'all', index);
      table.add('always', 'all', 1);
    }
    expect(table.read('always')?.all).to.equal(5_000);
    expect([4_996, 4_997, 4_998, 4_999].map((index) => table.read(`key ${index}`)?.all)).to.deep.equal([
      undefined,
      undefined,
      4_998,
      4_999,
    ]);
    table.delete('always');
    expect(table.read('always')).to.equal(undefined);
    expect(table.add('always', 'all', 1)).to.equal(1);
  });

  it('belongs to its extension and survives a reload; with other rows it is another one', async () => {
    const tables = createTables();
    const openOf = (extension: string) => createOpenTable(extension, { call: (message) => tables.handle(message, 0) });
    (await openOf('acme')('counts', options)).add('a', 'all', 1);
    const valueOf = async (extension: string, rows: number) =>
      (await openOf(extension)('counts', { ...options, rows })).read('a')?.all;
    expect([await valueOf('acme', 3), await valueOf('other', 3), await valueOf('acme', 4)]).to.deep.equal([
      1,
      undefined,
      undefined,
    ]);
  });

  it('refuses options that are out of range', async () => {
    for (const [columns, rows] of [
      [[], 1],
      [['a', 'a'], 1],
      [['a'], 0],
      [['a'], 100_001],
    ] as const)
      expect(await openOwnTable('t', { columns, rows }).catch((error: unknown) => error)).to.have.property(
        'message',
        'The shared table t needs 1 to 100 columns with different names, and 1 to 100000 rows.',
      );
  });

  it('undoes the change of a thread that has ended also where the memory has grown since this thread used it', () => {
    const [memory = new SharedArrayBuffer(0)] = createMemory(1);
    const [main, theirs] = [new Arena(memory, 1, 100), new Arena(memory, 2, 100)];
    theirs.enter(0);
    let last = 0;
    while (theirs.get(TOP) < 70_000) {
      last = theirs.allocate(1_000);
      theirs.commit();
    }
    theirs.put(last, 7);
    theirs.commit();
    theirs.put(last, 8);
    main.recover(2);
    theirs.enter(0);
    expect(theirs.get(last)).to.equal(7);
    theirs.leave();
  });
});
