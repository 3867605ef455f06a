import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import type { HttpReply } from '../support/http.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { type LogLine } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { bodyOf, startLimited, VENDOR, type Limited, type LimitedSettings } from './support/limited.ts';
import { beginStream, endStream } from './support/vendor.ts';

interface Topology {
  readonly title: string;
  readonly workers: number;
  readonly gateways: number;
  readonly redis: boolean;
  /** Through so many of the gateways, one after the other. */
  readonly through: readonly number[];
}
const topologies: readonly Topology[] = [
  { title: 'one process without Redis', workers: 1, gateways: 1, redis: false, through: [1] },
  { title: 'two workers without Redis', workers: 2, gateways: 1, redis: false, through: [1] },
  { title: 'two gateways on one Redis', workers: 1, gateways: 2, redis: true, through: [1, 2] },
  { title: 'two workers with Redis', workers: 2, gateways: 1, redis: true, through: [1] },
];

const stream = (text: string): object => ({ model: VENDOR, stream: true, messages: [{ role: 'user', content: text }] });
/** The reservation of a stream: its input by its bytes, its output by its cap. */
const RESERVED = Math.ceil(bodyOf(stream('s00')).length / 4) + 50;
const PLACES = 10;
/** Ten streams fit; the remainder is too small for one more. */
const TOKENS = PLACES * RESERVED + RESERVED - 1;

const limits = {
  requests: [{ requests: 25, per: '1h' }],
  streams: [{ tokens: TOKENS, per: '1h' }],
  one: [{ concurrent: 1 }],
  small: [
    { tokens: 1_000, per: '1h' },
    { requests: 100, per: '1h' },
  ],
};

/** Keys of their own for each number of gateways that are asked. */
const keys: LimitedSettings['keys'] = Object.fromEntries(
  [1, 2].flatMap((count) => Object.entries(limits).map(([name, list]) => [`${name}-${count}`, list])),
);

for (const { title, workers, gateways: count, redis: shared, through } of topologies) {
  describe(`limits of simultaneous requests: ${title}`, () => {
    let redis: RedisServer | undefined;
    let upstream: TestUpstream;
    let all: readonly Limited[] = [];
    before(async function () {
      if (shared) requireRedis(this);
      redis = shared ? await startRedis() : undefined;
      upstream = await startUpstream();
      const settings = {
        keys,
        workers,
        vendor: upstream.url,
        // On a busy machine a slow Redis is not an outage.
        ...(redis === undefined ? {} : { redis: redis.url, redisTimeout: '10s' }),
      };
      all = await Promise.all(Array.from({ length: count }, () => startLimited(settings)));
    });
    after(async () => {
      await Promise.all(all.map((gateway) => gateway.end()));
      await upstream?.stop();
      await redis?.stop();
    });

    let asked = 0;
    const exchanges = (): readonly LogLine[] => all.flatMap((gateway) => gateway.exchanges());
    const settled = (open = 0): Promise<void> => until('every settlement', () => exchanges().length === asked - open);
    for (const asks of through)
      describe(`through ${asks} of them`, () => {
        let gateways: readonly Limited[] = [];
        before(() => {
          gateways = all.slice(0, asks);
        });
        const ask = (gateway: Limited, key: string, more?: object): Promise<HttpReply> => {
          asked += 1;
          return gateway.ask(`${key}-${asks}`, more);
        };
        /** Through each gateway in turn. */
        const askAtOnce = (
          times: number,
          key: string,
          moreOf?: (index: number) => object,
        ): readonly Promise<HttpReply>[] =>
          Array.from({ length: times }, (_, index) => ask(gateways[index % asks]!, key, moreOf?.(index)));

        it('limits admit exactly 25 of 100 requests', async () => {
          const replies = await Promise.all(askAtOnce(100, 'requests'));
          const counted = (status: number): number => replies.filter((reply) => reply.status === status).length;
          expect([counted(200), counted(429)]).to.deep.equal([25, 75]);
          await settled();
          expect(
            gateways.flatMap((gateway) => [...new Set(gateway.exchanges().map(({ worker }) => worker))]),
          ).to.have.length(asks * workers);
        });

        it('limits admit as many of 40 streams as their reservations fit, and settle what they used', async () => {
          const open: ServerResponse[] = [];
          upstream.answer = (response) => {
            beginStream(response);
            open.push(response);
          };
          const replies = askAtOnce(40, 'streams', (index) => stream(`s${String(index).padStart(2, '0')}`));
          await settled(PLACES);
          await until('those that run', () => open.length === PLACES);

          // Less than was reserved, and more.
          const reported = open.map((_, index) => ({ input: 10 + index, output: index % 3 === 0 ? 60 : 5 * index }));
          open.forEach((response, index) => endStream(response, reported[index]!));
          const statuses = (await Promise.all(replies)).map(({ status, text }) =>
            status === 200 && text.endsWith('data: [DONE]\n\n') ? 'whole' : status,
          );
          expect(statuses.filter((status) => status === 'whole')).to.have.length(PLACES);
          expect(statuses.filter((status) => status === 429)).to.have.length(40 - PLACES);
          await settled();

          const used = reported.reduce((sum, { input, output }) => sum + input + output, 0);
          // A line can be written in the turn in which a settlement is sent.
          await until(
            'what was used',
            async () => (await gateways[0]!.left(`streams-${asks}`))[0]?.remaining === TOKENS - used,
          );
          upstream.answer = (response) => {
            beginStream(response);
            endStream(response, { input: 1, output: 1 });
          };
          for (const [index, gateway] of gateways.entries()) {
            const isCounted = async () =>
              (await gateway.left(`streams-${asks}`))[0]?.remaining === TOKENS - used - 2 * index;
            await until('the stream before', isCounted);
            const { status, headers } = await ask(gateway, 'streams', stream('s99'));
            expect([status, Number(headers['x-ratelimit-remaining-tokens'])]).to.deep.equal([
              200,
              TOKENS - used - 2 * index - RESERVED,
            ]);
            await settled();
          }
        });

        it('a client that has its response finds its place free, at every gateway', async () => {
          for (let round = 0; round < 20; round += 1)
            for (const gateway of gateways) expect((await ask(gateway, 'one')).status).to.equal(200);
          await settled();
        });

        it('limits admit a small request after a large one was refused', async () => {
          const [first, last] = [gateways[0]!, gateways.at(-1)!];
          expect((await ask(first, 'small')).status).to.equal(200);
          await settled();

          const before = await first.left(`small-${asks}`);
          // Each would fit an empty window.
          const refusals = await Promise.all(askAtOnce(20, 'small', () => ({ max_tokens: 960 })));
          expect(new Set(refusals.map(({ status, headers }) => `${status} ${headers['x-koine-limit']}`))).to.deep.equal(
            new Set(['429 key;tokens;1h']),
          );
          expect((await last.left(`small-${asks}`)).map(({ remaining }) => remaining)).to.deep.equal(
            before.map(({ remaining }) => remaining),
          );
          expect((await ask(last, 'small')).status).to.equal(200);
        });
      });
  });
}
