import { expect } from 'chai';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, VENDOR, type Limited, type LimitedSettings } from './support/limited.ts';
import { startLoad, type Load } from './support/load.ts';
import { answerPlain, saidIn } from './support/vendor.ts';
import { mostAtOnce, mostInAnyWindow, type Admission } from './support/windows.ts';

/** Longer than every window. */
const LOAD_MS = 25_000;
const PER_SECOND = 30;
const SMALL = 'openai/gpt-5-mini';
const keyNames = ['alice', 'bob', 'carol', 'dave', 'erin'] as const;
type Key = (typeof keyNames)[number];

/** Every kind of limit, several of a scope; each is tight enough to refuse some of the load. */
const keys: Readonly<Record<Key, readonly object[]>> = {
  alice: [
    { requests: 3, per: '1s' },
    { requests: 9, per: '7s' },
    { requests: 3, per: '3s', models: [SMALL] },
  ],
  bob: [{ tokens: 300, per: '2s' }],
  carol: [{ concurrent: 2 }, { outputTokens: 200, per: '5s' }],
  dave: [{ requests: 20, per: '10s', burst: 5 }],
  erin: [{ cost: 0.0005, per: 'month' }],
};
const project = [{ requests: 26, per: '4s' }];
const organization = [{ requests: 100, per: '20s' }];

const refusers = [
  'key;requests;1s',
  'key;requests;7s',
  'key;requests;3s',
  'key;tokens;2s',
  'key;requests;10s',
  'key;concurrent',
  'key;outputTokens;5s',
  'key;cost;month',
  'project;requests;4s',
  'organization;requests;20s',
];

/** The requests of one gateway and one key at the vendor. */
interface Seen extends Admission {
  readonly key: Key;
  readonly model: string;
  readonly tokens: number;
  readonly output: number;
  /** The number of the request. */
  readonly text: string;
}
interface Side {
  readonly title: string;
  readonly gateways: readonly Limited[];
  readonly seen: Seen[];
}

const request = (): number => 1;
const tokens = ({ tokens: used }: Seen): number => used;

describe('limits under load', function () {
  this.timeout(120_000);
  let redis: RedisServer;
  let upstream: TestUpstream;
  const sides: Side[] = [];
  const sent = new Map<string, { readonly side: Side; readonly key: Key; readonly sentAt: number }>();
  /**
   * Where a request was counted: in Redis, or on a host alone, if the machine was too busy for Redis to respond in
   * time.
   */
  const countedBy = new Map<string, string>();
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
    upstream = await startUpstream();
    const settings: LimitedSettings = { keys, project, organization, vendor: upstream.url };
    const [alone, ...sharing] = await Promise.all([
      startLimited(settings),
      ...[1, 2].map(() => startLimited({ ...settings, redis: redis.url })),
    ]);
    sides.push(
      { title: 'without Redis', gateways: [alone], seen: [] },
      { title: 'two gateways with Redis', gateways: sharing, seen: [] },
    );
  });
  after(async () => {
    await Promise.all(sides.flatMap(({ gateways }) => gateways.map((gateway) => gateway.end())));
    await upstream?.stop();
    await redis?.stop();
  });

  const answer: TestUpstream['answer'] = async (response, call) => {
    const arrivedAt = performance.now();
    const text = saidIn(call);
    const { side, key, sentAt } = sent.get(text)!;
    const [input, output] = [20 + Math.floor(Math.random() * 10), 10 + Math.floor(Math.random() * 40)];
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * (key === 'carol' ? 500 : 100)));
    side.seen.push({
      key,
      model: String(call.body['model']),
      sentAt,
      arrivedAt,
      endedAt: performance.now(),
      tokens: input + output,
      output,
      text,
    });
    answerPlain(response, { input, output });
  };
  const startSide = (side: Side): Load => {
    let count = 0;
    return startLoad(PER_SECOND, async () => {
      count += 1;
      const key = keyNames[Math.floor(Math.random() * keyNames.length)]!;
      const text = `${side.title} #${count}`;
      const place = count % side.gateways.length;
      sent.set(text, { side, key, sentAt: performance.now() });
      const model = key === 'alice' && Math.random() < 0.5 ? SMALL : VENDOR;
      const reply = await side.gateways[place]!.ask(key, { model, messages: [{ role: 'user', content: text }] });
      countedBy.set(text, reply.headers['x-koine-ratelimit-mode'] === 'local' ? `host ${place}` : 'all');
      return reply;
    });
  };
  const check = (title: string, seen: readonly Seen[]): void => {
    const of = (key: Key): readonly Seen[] => seen.filter((each) => each.key === key);
    const expectHeld = (
      most: number,
      lengthMs: number,
      admissions: readonly Seen[],
      weigh: (admission: Seen) => number = request,
    ): void =>
      void expect(mostInAnyWindow(admissions, lengthMs, weigh), `${title}, ${most} in ${lengthMs} ms`).to.be.at.most(
        most,
      );
    expectHeld(3, 1_000, of('alice'));
    expectHeld(9, 7_000, of('alice'));
    expectHeld(
      3,
      3_000,
      of('alice').filter(({ model }) => model === 'gpt-5-mini'),
    );
    expectHeld(300, 2_000, of('bob'), tokens);
    expectHeld(200, 5_000, of('carol'), ({ output }) => output);
    expect(mostAtOnce(of('carol')), title).to.be.at.most(2);
    for (const lengthMs of [500, 1_000, 5_000, 20_000]) expectHeld(5 + (lengthMs * 20) / 10_000, lengthMs, of('dave'));
    expectHeld(500, Number.POSITIVE_INFINITY, of('erin'), tokens);
    expectHeld(26, 4_000, seen);
    expectHeld(100, 20_000, seen);
  };

  it('limits hold in every window of their length and every scope, with Redis and without', async () => {
    upstream.answer = answer;
    const loads = sides.map((side) => startSide(side));
    await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
    const drops = await Promise.all(loads.map((load) => load.stop()));

    for (const [index, { title, seen }] of sides.entries()) {
      const statuses = new Set(drops[index]!.map(({ reply: { status } }) => status));
      expect(
        [...statuses].toSorted((a, b) => a - b),
        title,
      ).to.deep.equal([200, 429]);
      for (const [place, group] of Map.groupBy(seen, ({ text }) => countedBy.get(text)))
        check(`${title}, counted by ${place}`, group);
    }
    // Each of them has refused some requests.
    expect(new Set(drops.flat().map(({ reply: { headers } }) => headers['x-koine-limit']))).to.include.keys(
      ...refusers,
    );
  });
});
