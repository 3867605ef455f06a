import { expect } from 'chai';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { createSpool, type Spool } from '../../../plugins/ledger/thread/spool.ts';
import { createTemporaryFolder } from '../../core/services/temporary-folder.ts';
import { exchangeOf, NOW } from './setup.ts';

const rowsOf = (count: number): readonly LedgerRow[] => Array.from({ length: count }, () => openRow(exchangeOf(), NOW));
const idsOf = (rows: readonly LedgerRow[]): readonly string[] => rows.map(({ id }) => id);
const takeIds = (spool: Spool): readonly string[] => spool.take().flatMap((part) => idsOf(part.read()));

describe('the spool of the ledger', () => {
  const limits = { rows: 100, bytes: 1_000_000 };
  let folder: ReturnType<typeof createTemporaryFolder>;
  let troubles: unknown[];
  const open = (process = 'ours', path = join(folder.path, 'spool'), given = limits): Spool => createSpool(path, process, given, (error) => troubles.push(error));
  beforeEach(() => {
    folder = createTemporaryFolder();
    troubles = [];
  });
  afterEach(() => folder.remove());

  it('gives back what it was given, until it is told that all is done', () => {
    const [spool, first, second] = [open(), rowsOf(3), rowsOf(2)];
    expect(spool.append(first)).to.equal(0);
    expect(takeIds(spool)).to.deep.equal(idsOf(first));
    spool.append(second);
    const parts = spool.take();
    expect(parts.map((part) => idsOf(part.read()))).to.deep.equal([idsOf(first), idsOf(second)]);
    expect(spool.size()).to.equal(5);
    parts[0]?.done();
    expect(spool.size()).to.equal(2);
    expect(takeIds(spool)).to.deep.equal(idsOf(second));
    parts[1]?.done();
    expect(readdirSync(folder.path)).to.be.empty;
  });

  it('makes its file and folder for this user alone', () => {
    const before = process.umask(0);
    try {
      open('ours', join(folder.path, 'made', 'spool')).append(rowsOf(1));
    } finally {
      process.umask(before);
    }
    const made = join(folder.path, 'made');
    const modes = [made, ...readdirSync(made).map((name) => join(made, name))].map((path) => statSync(path).mode & 0o777);
    expect(modes).to.deep.equal([0o700, 0o600]);
  });

  it('holds so many rows, and tells how many it had no room for', () => {
    const [spool, rows] = [open('ours', undefined, { rows: 5, bytes: 1_000_000 }), rowsOf(7)];
    expect(spool.append(rows)).to.equal(2);
    expect(spool.append(rows)).to.equal(7);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows.slice(0, 5)));
  });

  it('holds so many bytes', () => {
    const rows = rowsOf(4);
    const [spool] = [open('ours', undefined, { rows: 100, bytes: JSON.stringify(rows.slice(0, 2)).length })];
    expect(spool.append(rows)).to.equal(2);
  });

  it('keeps rows in memory where no file can be made, says so once, and goes on in the file', () => {
    const path = join(folder.path, 'spool');
    const spool = open('ours', join(path, 'file'));
    appendFileSync(path, 'a file is no folder');
    const rows = rowsOf(3);
    for (const row of rows) expect(spool.append([row])).to.equal(0);
    expect(troubles).to.have.length(1);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
  });

  it('of a thread that was started anew has what the one before had left, and nothing of others', () => {
    const rows = rowsOf(2);
    open().append(rows);
    open('theirs').append(rowsOf(1));
    const spool = open();
    expect(spool.size()).to.equal(2);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
  });

  it('does without the line that a killed process had half written', () => {
    const rows = rowsOf(2);
    open().append(rows);
    for (const name of readdirSync(folder.path)) appendFileSync(join(folder.path, name), '{"id":"req_');
    expect(takeIds(open())).to.deep.equal(idsOf(rows));
  });
});
