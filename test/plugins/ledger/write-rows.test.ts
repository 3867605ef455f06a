import { expect } from 'chai';
import { openRow } from '../../../plugins/ledger/open-row.ts';
import { settledRow, type LedgerRow } from '../../../plugins/ledger/row.ts';
import { readUsage } from '../../../plugins/ledger/read/usage.ts';
import { readSpent } from '../../../plugins/ledger/read/spent.ts';
import { markAbandoned, renewLease } from '../../../plugins/ledger/thread/leases.ts';
import { prune } from '../../../plugins/ledger/thread/prune.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, one, outcomeOf, targetOf, usageOf } from './setup.ts';

const LEASE = 60_000;
const settled = (
  exchange = exchangeOf(),
  outcome = outcomeOf([chargeOf(one, usageOf(100, 50))]),
  endedAt = NOW,
): LedgerRow => settledRow(exchange, outcome, NOW - 1_000, endedAt);

onBoth('the tables of the ledger', (database) => {
  const write = (rows: readonly LedgerRow[], process = 'ours') =>
    createWriteRows(database(), createAddRollup(database()))(process, rows);
  const abandon = () => markAbandoned(database(), createAddRollup(database()));
  const rows = () => database().selectFrom('ledger').selectAll().orderBy('id').execute();
  /** The sums of the hour. Those of the day and the month must be equal. */
  const sums = async () => {
    const all = await Promise.all(
      (['hour', 'day', 'month'] as const).map((step) =>
        readUsage(database(), { from: NOW - 48 * HOUR, to: NOW + 48 * HOUR, step, by: ['target'], where: {} }),
      ),
    );
    const [hours, ...others] = all.map((lines) =>
      lines.map(
        ({ dimensions, counters }) =>
          [
            dimensions.target,
            Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0n)),
          ] as const,
      ),
    );
    for (const other of others) expect(other).to.deep.equal(hours);
    return Object.fromEntries(hours ?? []);
  };
  const whole = { exchanges: 1n, ok: 1n, input_tokens: 100n, output_tokens: 50n, cost: 200_000n, ok_ms: 1_235n };

  it('stores caller, usage and cost of an exchange, and no text of it', async () => {
    const exchange = exchangeOf();
    const usage = usageOf(100, 50, {
      cacheRead: 7,
      cacheWrite5m: 8,
      cacheWrite1h: 9,
      reasoning: 10,
      raw: { prompt_tokens: 124 },
    });
    await write([
      settledRow(exchange, outcomeOf([chargeOf(one, usage)], { cache: { saved: -5n, lost: 6n } }), NOW - 1_000, NOW),
    ]);
    const [row] = await rows();
    expect(row).to.deep.equal({
      id: exchange.id,
      process: 'ours',
      state: 'settled',
      opened_at: NOW - 1_000,
      ended_at: NOW,
      organization: 'acme',
      project: 'web',
      key: 'alice',
      route: '/v1/chat/completions',
      wire: 'chat-completions',
      operation: 'generate',
      model: 'vendor/chat',
      target: 'vendor/one',
      attempts: 1,
      status: 200,
      outcome: 'ok',
      input_tokens: 100,
      cache_read_tokens: 7,
      cache_write_5m_tokens: 8,
      cache_write_1h_tokens: 9,
      output_tokens: 50,
      reasoning_tokens: 10,
      usage_source: 'provider',
      cost: 224_000,
      price_version: 'of vendor/one',
      cache_saved: -5,
      cache_lost: 6,
      total_ms: 1_235,
      first_content_ms: 100,
      raw_usage: '{"prompt_tokens":124}',
      charges: null,
      estimated_target: null,
      estimated_input_tokens: null,
      estimated_cost: null,
      abandoned_at: null,
      tags: null,
      cache_write_12h_tokens: 0,
      web_searches: 0,
      web_fetches: 0,
      images: 0,
      media_ms: 0,
      characters: 0,
      tier: null,
      region: null,
      end_user: null,
      vendor_models: null,
      code: null,
      stream: 0,
      trace_id: null,
      upstream_request_id: null,
      trail: null,
      losses: null,
      message: null,
    });
  });

  it('has no price version for an unpriced call of another model than the target', async () => {
    const { price: _price, ...unpriced } = { ...chargeOf(one, usageOf(1, 1)), cost: undefined };
    await write([settled(exchangeOf(), outcomeOf([unpriced]))]);
    expect((await rows())[0]).to.include({ target: 'vendor/one', cost: null, price_version: null });
  });

  it('counts a ledger row once, however often it is written', async () => {
    const row = settled();
    for (let time = 0; time < 3; time += 1)
      await write([row, settled(exchangeOf(), outcomeOf([]))].slice(0, time === 0 ? 2 : 1));
    expect(await rows()).to.have.length(2);
    expect(await sums()).to.deep.equal({ '': { exchanges: 1n, ok: 1n, ok_ms: 1_235n }, 'vendor/one': whole });
  });

  it('settles an open row and never reopens it', async () => {
    const exchange = exchangeOf();
    const open = openRow(exchange, NOW - 1_000);
    await write([open]);
    expect((await rows())[0]).to.include({
      state: 'pending',
      target: 'vendor/one',
      estimated_input_tokens: 120,
      estimated_cost: 120_000,
      ended_at: null,
    });
    expect(await sums()).to.deep.equal({});
    await write([settled(exchange)]);
    await write([open]);
    expect((await rows())[0]).to.include({ state: 'settled', cost: 200_000 });
    expect(await sums()).to.deep.equal({ 'vendor/one': whole });
  });

  it('counts each of several charges at its own target', async () => {
    const two = targetOf('other/two', false);
    const outcome = outcomeOf(
      [chargeOf(one, usageOf(10, 1, { source: 'estimated' })), chargeOf(two, usageOf(20, 2), 1)],
      { cache: { saved: 0n, lost: 3n } },
    );
    await write([settled(exchangeOf(), outcome)]);
    expect(await sums()).to.deep.equal({
      'vendor/one': { input_tokens: 10n, output_tokens: 1n, estimated: 1n, cost: 12_000n },
      'other/two': {
        exchanges: 1n,
        ok: 1n,
        ok_ms: 1_235n,
        input_tokens: 20n,
        output_tokens: 2n,
        unpriced: 1n,
        cache_lost: 3n,
      },
    });
    const [row] = await rows();
    expect(row).to.include({ target: 'other/two', cost: 12_000, input_tokens: 30, raw_usage: null });
    expect((JSON.parse(row?.charges ?? '') as { readonly target: string }[]).map(({ target }) => target)).to.deep.equal(
      ['vendor/one', 'other/two'],
    );
  });

  it('stores usage without a price as unpriced, not as free', async () => {
    await write([settled(exchangeOf(), outcomeOf([chargeOf(targetOf('vendor/one', false), usageOf(1, 1))]))]);
    expect((await rows())[0]?.cost).to.equal(null);
    expect((await sums())['vendor/one'])
      .to.deep.include({ unpriced: 1n })
      .and.to.not.have.property('cost');
  });

  it('accepts absurd token counts and sums beyond the safe integers', async () => {
    const absurd = outcomeOf([
      { ...chargeOf(one, usageOf(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)), cost: 10n ** 20n },
    ]);
    await write(Array.from({ length: 70 }, () => settled(exchangeOf(), absurd)));
    expect((await sums())['vendor/one']).to.include({
      exchanges: 70n,
      input_tokens: 70n * 10n ** 12n,
      cost: 70n * 10n ** 15n,
    });
    expect(await readSpent(database(), { path: ['acme'], models: [], since: NOW - HOUR })).to.equal(70n * 10n ** 15n);
  });

  it('accepts names with characters that databases reject', async () => {
    await write([
      settled(exchangeOf({ caller: { key: 'al\0ice\ud800', project: "w'eb", organization: 'acme', models: [] } })),
    ]);
    expect((await rows())[0]).to.include({ key: 'alice\ufffd', project: "w'eb" });
  });

  describe('with rows of a dead process', () => {
    it('marks an open row as abandoned once, with its estimate, when several processes try', async () => {
      await write(
        Array.from({ length: 150 }, () => openRow(exchangeOf(), NOW - 1_000)),
        'dead',
      );
      const marked = await Promise.all([abandon(), abandon(), abandon()]);
      expect(marked.toSorted((a, b) => a - b)).to.deep.equal([0, 0, 150]);
      expect(await sums()).to.deep.equal({
        'vendor/one': { exchanges: 150n, abandoned: 150n, estimated: 150n, input_tokens: 18_000n, cost: 18_000_000n },
      });
    });

    it('marks only rows of processes whose lease has expired', async () => {
      await renewLease(database(), 'live', LEASE);
      await renewLease(database(), 'dead', -1);
      await write([openRow(exchangeOf(), NOW)], 'live');
      await write([openRow(exchangeOf(), NOW)], 'dead');
      expect(await abandon()).to.equal(1);
      expect((await rows()).map(({ process, state }) => [process, state]).toSorted()).to.deep.equal([
        ['dead', 'abandoned'],
        ['live', 'pending'],
      ]);
      expect((await database().selectFrom('ledger_processes').selectAll().execute()).map(({ id }) => id)).to.deep.equal(
        ['live'],
      );
    });

    it('ends an abandoned row when its process last renewed its lease, or when the row was opened', async () => {
      await renewLease(database(), 'dead', -1);
      const { renewed_at } = await database()
        .selectFrom('ledger_processes')
        .select('renewed_at')
        .executeTakeFirstOrThrow();
      const later = Number(renewed_at) + 1_000;
      await write(
        [openRow(exchangeOf({ id: 'before' }), NOW - HOUR), openRow(exchangeOf({ id: 'after' }), later)],
        'dead',
      );
      await abandon();
      const ends = (await rows()).map(({ id, ended_at, abandoned_at }) => [id, Number(ended_at), Number(abandoned_at)]);
      expect(ends).to.have.deep.members([
        ['before', Number(renewed_at), Number(renewed_at)],
        ['after', later, later],
      ]);
    });

    it('settles an abandoned row and takes back its estimate', async () => {
      const exchange = exchangeOf();
      await write([openRow(exchange, NOW - 1_000)], 'dead');
      await abandon();
      await write([settled(exchange)], 'dead');
      expect((await rows())[0]).to.include({ state: 'settled', outcome: 'ok', cost: 200_000 });
      expect(await sums()).to.deep.equal({ 'vendor/one': whole });
    });
  });

  it('returns what a key, project or organization spent in a time, by model', async () => {
    const of = (name: string) => ({ caller: { key: name, project: 'web', organization: 'acme', models: [] } });
    await write([
      settled(exchangeOf(of('alice'))),
      settled(exchangeOf(of('bob')), undefined, NOW - 15 * 60_000),
      settled(exchangeOf({ ...of('bob'), model: 'vendor/other' }), undefined, NOW - 30 * HOUR),
    ]);
    const spent = (path: readonly string[], since: number, models: readonly string[] = []) =>
      readSpent(database(), { path, models, since });
    expect(await spent(['acme'], NOW - 72 * HOUR)).to.equal(600_000n);
    expect(await spent(['acme'], NOW - 16 * 60_000)).to.equal(400_000n);
    expect(await spent(['acme'], NOW - 10 * 60_000)).to.equal(200_000n);
    expect(await spent(['acme', 'web', 'bob'], NOW - 72 * HOUR)).to.equal(400_000n);
    expect(await spent(['acme', 'web'], NOW - 72 * HOUR, ['vendor/oth*'])).to.equal(200_000n);
    const between = (since: number, until: number) =>
      readSpent(database(), { path: ['acme'], models: [], since, until });
    expect(await between(NOW - 72 * HOUR, NOW)).to.equal(400_000n);
    expect(await between(NOW - 72 * HOUR, NOW + 1)).to.equal(600_000n);
    expect(await between(NOW - 72 * HOUR, NOW - 15 * 60_000)).to.equal(200_000n);
    expect(await between(NOW - 16 * 60_000, NOW - 10 * 60_000)).to.equal(200_000n);
    expect(await between(NOW - 30 * HOUR, NOW - 29 * HOUR)).to.equal(200_000n);
    expect(await spent(['umbrella'], NOW - 72 * HOUR)).to.equal(0n);
  });

  it('returns percentiles of the duration of successful exchanges', async () => {
    const took = (total: number, result: 'ok' | 'timeout' = 'ok') =>
      settled(exchangeOf(), outcomeOf([], { result, times: { total, own: 1 } }));
    await write([
      ...Array.from({ length: 95 }, () => took(1_000)),
      ...Array.from({ length: 5 }, () => took(20_000)),
      took(600_000, 'timeout'),
    ]);
    const lines = await readUsage(database(), {
      from: NOW - HOUR,
      to: NOW + HOUR,
      by: ['key'],
      where: { key: ['alice'] },
      quantiles: [0.5, 0.95, 0.99],
    });
    expect(lines).to.have.length(1);
    const [half, most, all] = lines[0]?.percentiles?.total_times ?? [];
    expect(half).to.be.closeTo(1_000, 90);
    expect(most).to.be.closeTo(1_000, 90);
    expect(all).to.be.closeTo(20_000, 1_800);
  });

  it('deletes rows and sums after their retention', async () => {
    await write([
      settled(),
      ...Array.from({ length: 520 }, () => settled(exchangeOf(), outcomeOf([]), NOW - 30 * HOUR)),
    ]);
    await prune(
      database(),
      { leaseMs: LEASE, spoolPath: '', retentionMs: 24 * HOUR, usageRetentionMs: 1_000 * HOUR },
      NOW,
    );
    expect((await rows()).map(({ ended_at }) => ended_at)).to.deep.equal([NOW]);
    expect(
      await readUsage(database(), { from: 0, to: NOW + HOUR, by: [], where: {} }).then(
        ([line]) => line?.counters.exchanges,
      ),
    ).to.equal(521n);
    await prune(
      database(),
      { leaseMs: LEASE, spoolPath: '', retentionMs: 24 * HOUR, usageRetentionMs: 24 * HOUR },
      NOW,
    );
    expect(
      (await database().selectFrom('ledger_usage').selectAll().where('step', '=', 'hour').execute()).length,
    ).to.equal(1);
  });
});
