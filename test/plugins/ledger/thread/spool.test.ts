import { expect } from 'chai';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import { at, settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { Spool } from '../../../../plugins/ledger/thread/spool.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, NOW, one, outcomeOf, targetOf, usageOf } from '../setup.ts';

const rowsOf = (count: number): readonly LedgerRow[] => Array.from({ length: count }, () => openRow(exchangeOf(), NOW));
const idsOf = (rows: readonly LedgerRow[]): readonly string[] => rows.map(([id]) => id);
const takeIds = (spool: Spool): readonly string[] => spool.takeBatches().flatMap((part) => idsOf(part.read()));

describe('Spool', () => {
  const limits = { rows: 100, bytes: 1_000_000 };
  let folder: ReturnType<typeof createTemporaryFolder>;
  let errors: unknown[];
  const open = (process = 'ours', path = join(folder.path, 'spool'), given = limits): Spool =>
    new Spool(path, process, given, (error) => errors.push(error));
  beforeEach(() => {
    folder = createTemporaryFolder();
    errors = [];
  });
  afterEach(() => folder.remove());

  it('returns all rows in batches until the batches are removed', () => {
    const [spool, first, second] = [open(), rowsOf(3), rowsOf(2)];
    expect(spool.append(first)).to.equal(0);
    expect(takeIds(spool)).to.deep.equal(idsOf(first));
    spool.append(second);
    const parts = spool.takeBatches();
    expect(parts.map((part) => idsOf(part.read()))).to.deep.equal([idsOf(first), idsOf(second)]);
    expect(spool.size()).to.equal(5);
    parts[0]?.remove();
    expect(spool.size()).to.equal(2);
    expect(takeIds(spool)).to.deep.equal(idsOf(second));
    parts[1]?.remove();
    expect(readdirSync(folder.path)).to.be.empty;
  });

  it('creates a file and a folder that only this user can read', () => {
    const before = process.umask(0);
    try {
      open('ours', join(folder.path, 'made', 'spool')).append(rowsOf(1));
    } finally {
      process.umask(before);
    }
    const made = join(folder.path, 'made');
    const modes = [made, ...readdirSync(made).map((name) => join(made, name))].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).to.deep.equal([0o700, 0o600]);
  });

  it('keeps rows up to its limit and returns how many did not fit', () => {
    const [spool, rows] = [open('ours', undefined, { rows: 5, bytes: 1_000_000 }), rowsOf(7)];
    expect(spool.append(rows)).to.equal(2);
    expect(spool.append(rows)).to.equal(7);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows.slice(0, 5)));
  });

  it('the spool keeps rows up to its limit of bytes', () => {
    const rows = rowsOf(4);
    const [spool] = [open('ours', undefined, { rows: 100, bytes: JSON.stringify(rows.slice(0, 2)).length })];
    expect(spool.append(rows)).to.equal(2);
  });

  it('keeps rows in memory when the file cannot be created, and reports that once', () => {
    const path = join(folder.path, 'spool');
    const spool = open('ours', join(path, 'file'));
    appendFileSync(path, 'not a folder');
    const rows = rowsOf(3);
    for (const row of rows) expect(spool.append([row])).to.equal(0);
    expect(errors).to.have.length(1);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
  });

  it('the spool has the rows that an earlier thread of the process left, and none of other processes', () => {
    const rows = rowsOf(2);
    open().append(rows);
    open('theirs').append(rowsOf(1));
    const spool = open();
    expect(spool.size()).to.equal(2);
    expect(takeIds(spool)).to.deep.equal(idsOf(rows));
  });

  it('reads the rows of an earlier version: objects by column name, without nulls, with money as text', () => {
    const exchange = exchangeOf();
    const charges = [
      chargeOf(one, usageOf(10, 1, { raw: { a: 1 } })),
      chargeOf(targetOf('vendor/two'), usageOf(1, 0), 1),
    ];
    const tokens = {
      cache_read_tokens: 0,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 0,
      usage_source: 'provider',
    };
    const subject = {
      id: exchange.id,
      opened_at: NOW,
      organization: 'acme',
      project: 'web',
      key: 'alice',
      route: '/v1/chat/completions',
      wire: 'chat-completions',
      operation: 'generate',
      model: 'vendor/chat',
    };
    const ended = {
      ended_at: NOW + 1,
      state: 'settled',
      status: 200,
      outcome: 'ok',
      total_ms: 1_235,
      first_content_ms: 100,
      ...tokens,
    };
    const lines = [
      {
        ...subject,
        ...tokens,
        usage_source: undefined,
        input_tokens: 0,
        output_tokens: 0,
        state: 'pending',
        attempts: 0,
        target: 'vendor/one',
        price_version: 'of vendor/one',
        estimated_target: 'vendor/one',
        estimated_input_tokens: 120,
        estimated_cost: '120000',
      },
      {
        ...subject,
        ...ended,
        input_tokens: 10,
        output_tokens: 1,
        target: 'vendor/one',
        attempts: 1,
        cost: '12000',
        price_version: 'of vendor/one',
        cache_saved: '-5',
        cache_lost: '6',
        raw_usage: { a: 1 },
      },
      {
        ...subject,
        ...ended,
        input_tokens: 11,
        output_tokens: 1,
        target: 'vendor/two',
        attempts: 2,
        cost: '13000',
        price_version: 'of vendor/two',
        charges: [
          {
            attempt: 0,
            target: 'vendor/one',
            ...tokens,
            input_tokens: 10,
            output_tokens: 1,
            cost: '12000',
            price_version: 'of vendor/one',
            raw_usage: { a: 1 },
          },
          {
            attempt: 1,
            target: 'vendor/two',
            ...tokens,
            input_tokens: 1,
            output_tokens: 0,
            cost: '1000',
            price_version: 'of vendor/two',
          },
        ],
      },
    ];
    appendFileSync(join(folder.path, 'spool.ours.0'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const [opened, settled, several] = open()
      .takeBatches()
      .flatMap((part) => part.read());
    // It did not store whether the client asked for a stream.
    expect(opened).to.deep.equal(openRow(exchange, NOW).with(at.stream, null));
    expect(settled).to.deep.equal(
      settledRow(exchange, outcomeOf(charges.slice(0, 1), { cache: { saved: -5n, lost: 6n } }), NOW, NOW + 1).with(
        at.stream,
        null,
      ),
    );
    const { usage: _usage, ...two } = outcomeOf(charges);
    const expected = settledRow(exchange, { ...two, usage: usageOf(11, 1) }, NOW, NOW + 1);
    expect(JSON.parse(several?.[at.charges] ?? '')).to.deep.equal(JSON.parse(expected[at.charges] ?? ''));
    const withoutCharges = (row: LedgerRow | undefined) =>
      row?.with(at.stream, null).with(at.trail, null).toSpliced(at.charges, 1);
    expect(withoutCharges(several)).to.deep.equal(withoutCharges(expected));
  });

  it('skips a line that a killed process left incomplete', () => {
    const rows = rowsOf(2);
    open().append(rows);
    for (const name of readdirSync(folder.path)) appendFileSync(join(folder.path, name), '{"id":"req_');
    expect(takeIds(open())).to.deep.equal(idsOf(rows));
  });
});
