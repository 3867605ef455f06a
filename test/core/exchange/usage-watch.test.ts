import { expect } from 'chai';
import type { Usage } from '../../../core/api/index.ts';
import { defineKnownMembers, type AnyCodec } from '../../../core/api/codec.ts';
import { createUsageWatch, UnknownUsage } from '../../../core/exchange/usage-watch.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import { createSlipsCodec } from '../lanes/slips-wire.ts';
import { createTestLog, createTestTarget } from '../../../core/testing/index.ts';
import { sampleRecord } from './sample-exchange.ts';

const usageMembers = defineKnownMembers({
  input: true,
  output: true,
  cache: { read: true, written: { hour: true } },
  rounds: { kind: ['answer', 'search'], input: true },
});
const watched = (codec: AnyCodec): AnyCodec =>
  codec.operation === 'generate' && codec.upstream !== undefined
    ? { ...codec, upstream: { ...codec.upstream, usageMembers } }
    : codec;

const usageOf = (raw: unknown): Usage => ({
  inputUncached: 1,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 1,
  reasoning: 0,
  source: 'provider',
  raw,
});

const start = () => {
  const log = createTestLog();
  const metrics = createMetrics();
  const unknown = new UnknownUsage(log, metrics);
  const watch = createUsageWatch([watched(createSlipsCodec({}))], unknown);
  const report = (raw: unknown, { provider = 'vendor', wire = 'slips', calls }: ReportedCall = {}): void => {
    const target = createTestTarget(`${provider}/model`);
    const charge = { attempt: 0, target, usage: usageOf(raw), cost: undefined };
    watch('generate', {
      attempts: [{ ...sampleRecord, wire }],
      charges: [calls === undefined ? charge : { ...charge, calls: calls.map(usageOf) }],
    });
  };
  const counts = async (): Promise<Readonly<Record<string, number | undefined>>> => {
    const { series = [] } =
      (await metrics.snapshot()).find(({ name }) => name === 'koine_usage_unknown_members_total') ?? {};
    return Object.fromEntries(
      series.map(({ labels, figures }) => [`${labels['provider']} ${labels['path']}`, figures[0]]),
    );
  };
  const logged = () => log.lines.map(({ level, fields }) => ({ level, ...fields }));
  return { report, counts, logged };
};
interface ReportedCall {
  readonly provider?: string;
  readonly wire?: string;
  readonly calls?: readonly unknown[];
}

describe('the watch over reported usage', () => {
  it('finds nothing in usage whose members are known', async () => {
    const { report, counts, logged } = start();
    report({ input: 1, output: 'text', cache: { read: 0, written: { hour: 1 } }, rounds: [{ kind: 'answer' }] });
    report({ input: { more: 1 }, cache: 5, rounds: [null, 7, { kind: 3 }] });
    report(undefined);
    report([{ other: 1 }]);
    expect([await counts(), logged()]).to.deep.equal([{}, []]);
  });

  it('counts each unknown member, and logs its path once', async () => {
    const { report, counts, logged } = start();
    const raw = {
      input: 1,
      searches: 2,
      cache: { video: 1, written: { day: 4 } },
      rounds: [{ kind: 'answer' }, { kind: 'advice', pages: 1 }],
    };
    report(raw);
    report(raw);
    report({ searches: 1 }, { provider: 'second' });
    expect(await counts()).to.deep.equal({
      'vendor searches': 2,
      'vendor cache.video': 2,
      'vendor cache.written.day': 2,
      'vendor rounds.kind=advice': 2,
      'vendor rounds.pages': 2,
      'second searches': 1,
    });
    expect(logged()).to.deep.equal([
      { level: 'warn', provider: 'vendor', path: 'searches' },
      { level: 'warn', provider: 'vendor', path: 'cache.video' },
      { level: 'warn', provider: 'vendor', path: 'rounds.kind=advice' },
      { level: 'warn', provider: 'vendor', path: 'rounds.pages' },
      { level: 'warn', provider: 'vendor', path: 'cache.written.day' },
      { level: 'warn', provider: 'second', path: 'searches' },
    ]);
  });

  it('finds unknown members in the usage of each of several calls', async () => {
    const { report, counts } = start();
    report(undefined, { calls: [{ input: 1, one: 1 }, undefined, { two: 2 }] });
    expect(await counts()).to.deep.equal({ 'vendor one': 1, 'vendor two': 1 });
  });

  it('skips members that are null or 0, and wires that declare no members', async () => {
    const { report, counts } = start();
    report({ later: null, unused: 0, cache: { video: 0 } });
    report({ any: 1 }, { wire: 'other-wire' });
    expect(await counts()).to.deep.equal({});
  });

  it('repeats no name that is not plain, and counts at most 20 paths of a provider separately', async () => {
    const { report, counts, logged } = start();
    const hostile = ['a b', 'x\n{"level":"error"}', 'n'.repeat(65), 'é', '', '1st', 'constructor', '__proto__'];
    report(JSON.parse(`{${hostile.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`));
    report({ rounds: [{ kind: 'a b' }] });
    expect(await counts()).to.deep.equal({
      'vendor other': 6,
      'vendor constructor': 1,
      'vendor __proto__': 1,
      'vendor rounds.kind=other': 1,
    });
    for (let turn = 0; turn < 100; turn += 1) report({ [`member_${turn}`]: 1 });
    const paths = Object.keys(await counts());
    expect(paths).to.have.length(20);
    expect(logged()).to.have.length(20);
    expect((await counts())['vendor other']).to.equal(6 + 100 - 16);
  });

  it('reads only the first 200 entries and unknown members of one usage', async () => {
    const { report, counts } = start();
    report({ rounds: Array.from({ length: 5_000 }, () => ({ pages: 1 })) });
    const count = (await counts())['vendor rounds.pages'] ?? 0;
    expect(count).to.be.greaterThan(50).and.at.most(200);
    report(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1])));
    const sum = Object.values(await counts()).reduce<number>((total, each) => total + (each ?? 0), 0);
    expect(sum - count).to.equal(200);
  });
});
