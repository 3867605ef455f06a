import { expect } from 'chai';
import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import { at, settledRow, type LedgerRow } from '../../../../plugins/ledger/row.ts';
import { Segment } from '../../../../plugins/ledger/spool/segment.ts';
import { listSpoolFiles, readSpoolFile } from '../../../../plugins/ledger/spool/spool-files.ts';
import { Spool } from '../../../../plugins/ledger/spool/spool.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { chargeOf, exchangeOf, NOW, one, outcomeOf, targetOf, usageOf } from '../setup.ts';

const rowsOf = (count: number): readonly LedgerRow[] => Array.from({ length: count }, () => openRow(exchangeOf(), NOW));
const idsOf = (rows: readonly LedgerRow[]): readonly string[] => rows.map(([id]) => id);

describe('Spool', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  let errors: unknown[];
  const prefix = (): string => join(folder.path, 'spool');
  const open = (process = 'ours', path: string | undefined = prefix(), bytes = 1e9): Spool =>
    new Spool({ path, bytes }, process, (error) => errors.push(error));
  const append = (spool: Spool, rows: readonly LedgerRow[], waits = true): void =>
    spool.append(
      rows.map((row) => JSON.stringify(row)),
      NOW,
      waits,
    );
  /** What the thread would write of a segment. */
  const read = (segment: Segment | undefined): readonly LedgerRow[] => {
    const { rows = [], file } = segment?.content ?? {};
    return [...(file === undefined ? [] : readSpoolFile(file)), ...rows.map((row) => JSON.parse(row) as LedgerRow)];
  };
  const filesOf = (): readonly string[] => readdirSync(folder.path);
  const inFiles = (path = prefix()): readonly string[] =>
    listSpoolFiles(path).flatMap((file) => idsOf(readSpoolFile(file.path)));
  beforeEach(() => {
    folder = createTemporaryFolder();
    errors = [];
  });
  afterEach(() => folder.remove());

  it('returns the oldest segment until it is removed, and uses its file again', () => {
    const [spool, first, second, third] = [open(), rowsOf(3), rowsOf(2), rowsOf(1)];
    append(spool, first);
    const segment = spool.next();
    expect(idsOf(read(segment))).to.deep.equal(idsOf(first));
    append(spool, second);
    expect(spool.next()).to.equal(segment);
    expect([spool.rows, inFiles().length]).to.deep.equal([5, 5]);
    spool.remove(segment!);
    expect([spool.rows, inFiles()]).to.deep.equal([2, idsOf(second)]);
    const next = spool.next();
    append(spool, third);
    expect(idsOf(read(next))).to.deep.equal(idsOf(second));
    spool.remove(next!);
    expect(filesOf()).to.have.length(2);
    expect(inFiles()).to.deep.equal(idsOf(third));
    spool.remove(spool.next()!);
    expect([spool.rows, spool.bytes]).to.deep.equal([0, 0]);
    expect(spool.close()).to.equal(0);
    expect(filesOf()).to.be.empty;
  });

  it('reads a segment that could not be written from its file, and counts its rows as waiting once', () => {
    const [spool, rows] = [open(), rowsOf(3)];
    append(spool, rows, false);
    const segment = spool.next()!;
    expect([spool.keep(segment), spool.keep(segment)]).to.deep.equal([3, 0]);
    expect(segment.content.file).to.be.a('string');
    expect(idsOf(read(segment))).to.deep.equal(idsOf(rows));
  });

  it('creates a file and a folder that only this user can read', () => {
    const before = process.umask(0);
    try {
      append(open('ours', join(folder.path, 'made', 'spool')), rowsOf(1));
    } finally {
      process.umask(before);
    }
    const made = join(folder.path, 'made');
    const modes = [made, ...readdirSync(made).map((name) => join(made, name))].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).to.deep.equal([0o700, 0o600]);
  });

  it('is full when its files and those of other processes have as many bytes as they may', async () => {
    const bytes = Buffer.byteLength(JSON.stringify(rowsOf(1)[0])) + 1;
    append(open('theirs'), rowsOf(4));
    const spool = open('ours', undefined, bytes * 6 + 60);
    append(spool, rowsOf(1));
    await delay(20);
    expect(spool.isFull).to.equal(false);
    append(spool, rowsOf(2));
    expect(spool.isFull).to.equal(true);
  });

  it('keeps rows in memory when the file cannot be created, and reports that once', () => {
    const spool = open('ours', join(prefix(), 'file'));
    appendFileSync(prefix(), 'not a folder');
    const rows = rowsOf(3);
    for (const row of rows) append(spool, [row]);
    expect(errors).to.have.length(1);
    const segment = spool.next()!;
    spool.keep(segment);
    expect(idsOf(read(segment))).to.deep.equal(idsOf(rows));
    expect(spool.close()).to.equal(3);
  });

  it('is full when 16 MB are in memory only', () => {
    const spool = new Spool({ path: undefined, bytes: 1e9 }, 'ours', () => {});
    for (let megabytes = 0; megabytes < 16; megabytes += 1) {
      expect(spool.isFull).to.equal(false);
      spool.append(['x'.repeat(1_048_576)], NOW, true);
    }
    expect(spool.isFull).to.equal(true);
  });

  it('writes to another file when its own was removed: a gateway that considered it dead has adopted it', () => {
    const [segment, first, second] = [new Segment(`${prefix()}.ours.0`), rowsOf(1), rowsOf(2)];
    segment.append(first.map((row) => JSON.stringify(row)));
    segment.forgetLines();
    for (const { path } of listSpoolFiles(prefix())) rmSync(path);
    segment.append(second.map((row) => JSON.stringify(row)));
    segment.close();
    expect(inFiles()).to.deep.equal(idsOf(second));
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
    const [opened, settled, several] = readSpoolFile(join(folder.path, 'spool.ours.0'));
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
    append(open(), rows);
    for (const name of readdirSync(folder.path)) appendFileSync(join(folder.path, name), '{"id":"req_');
    expect(inFiles()).to.deep.equal(idsOf(rows));
  });
});
