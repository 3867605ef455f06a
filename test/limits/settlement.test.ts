import { expect } from 'chai';
import * as fc from 'fast-check';
import { omitUndefined } from '../../core/api/codec.ts';
import { answerJson, startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, VENDOR, type Limited } from './support/limited.ts';
import { lookIntoRedis } from './support/redis-look.ts';
import { openStream, type ClientStream } from './support/streams.ts';
import { answerPlain, beginStream, endStream, saidIn, type Reported } from './support/vendor.ts';

const TOKENS = 1_000_000;
const REQUESTS = 10_000;
const USD = 100;
const AT_ONCE = 100;
const EXCHANGES = 120;
const WAVE = 12;

/** A kind of exchange. */
const ways = [
  'plain',
  'stream',
  'failover',
  'fails',
  'refused',
  'breaks',
  'leaves early',
  'leaves midway',
  'leaves late',
] as const;
type Way = (typeof ways)[number];
const wayOf = (text: string): Way | undefined => ways.find((way) => text.startsWith(way));
/** Less than is reserved, and more. */
const reportedBy = (text: string): Reported => {
  const index = Number(text.split('#')[1]);
  return { input: 5 + (index % 40), output: (index * 7) % 90 };
};

const script: TestUpstream['answer'] = async (response, call) => {
  const text = saidIn(call);
  const reported = reportedBy(text);
  switch (wayOf(text)) {
    case 'plain':
      return answerPlain(response, reported);
    case 'failover':
      return call.body['model'] === 'first'
        ? answerJson(response, { error: { message: 'busy' } }, 500)
        : answerPlain(response, reported);
    case 'fails':
      return answerJson(response, { error: { message: 'busy' } }, 500);
    case 'refused':
      return answerJson(response, { error: { message: 'no' } }, 400);
    case 'leaves early':
      return;
    case 'leaves midway':
      return beginStream(response);
    case 'breaks':
      beginStream(response);
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
      return;
    default:
      beginStream(response);
      return endStream(response, reported);
  }
};

for (const shared of [false, true]) {
  describe(`settlement of all kinds of exchanges, ${shared ? 'in Redis' : 'without Redis'}`, () => {
    let redis: RedisServer | undefined;
    let upstream: TestUpstream;
    let gateway: Limited;
    before(async function () {
      if (shared) requireRedis(this);
      redis = shared ? await startRedis() : undefined;
      upstream = await startUpstream();
      upstream.answer = script;
      const alice = [
        { tokens: TOKENS, per: '1h' },
        { requests: REQUESTS, per: '1h' },
        { cost: USD, per: 'month' },
        { concurrent: AT_ONCE },
      ];
      gateway = await startLimited(
        omitUndefined({
          keys: { alice },
          vendor: upstream.url,
          redis: redis === undefined ? undefined : redis.url,
        }),
      );
    });
    after(async () => {
      await gateway?.end();
      await upstream?.stop();
      await redis?.stop();
    });

    const run = async (way: Way, index: number): Promise<void> => {
      const text = `${way} #${index}`;
      const messages = [{ role: 'user', content: text }];
      if (way === 'plain' || way === 'failover')
        return void (await gateway.ask('alice', { model: way === 'plain' ? VENDOR : 'openai/patient', messages }));
      const leaves = ({ text: received, leave }: ClientStream): void => {
        if (
          (way === 'leaves midway' && received.includes('Good')) ||
          (way === 'leaves late' && received.includes('[DONE]'))
        )
          leave();
      };
      const stream = openStream(gateway.url, 'alice', { model: VENDOR, messages }, leaves);
      if (way === 'leaves early') {
        await until('the vendor is asked', () => upstream.calls.some((call) => saidIn(call) === text));
        stream.leave();
      }
      await until(`the end of ${text}`, () => stream.over);
    };

    it('counts the tokens, money and requests of the access log, and leaves no place taken', async () => {
      const chosen = fc.sample(fc.constantFrom(...ways), EXCHANGES);
      for (let at = 0; at < EXCHANGES; at += WAVE)
        await Promise.all(chosen.slice(at, at + WAVE).map((way, offset) => run(way, at + offset)));
      await until('every settlement', () => gateway.exchanges().length === EXCHANGES);

      const lines = gateway.exchanges();
      expect(new Set(lines.map(({ outcome }) => outcome))).to.include.keys('ok', 'upstream_error', 'client_closed');
      const sum = (...fields: readonly string[]): number =>
        lines.reduce((total, line) => total + fields.reduce((part, field) => part + Number(line[field] ?? 0), 0), 0);
      const reported = chosen
        .flatMap((way, index) => (['plain', 'stream'].includes(way) ? [reportedBy(`#${index}`)] : []))
        .reduce((total, { input, output }) => total + input + output, 0);
      expect(sum('tokens_in', 'tokens_out')).to.be.greaterThan(reported);

      const left = new Map((await gateway.left('alice', VENDOR)).map(({ unit, remaining }) => [unit, remaining]));
      expect(left.get('tokens')).to.equal(TOKENS - sum('tokens_in', 'tokens_out'));
      expect(left.get('cost')).to.be.closeTo(USD - sum('cost_micro') / 1e6, 1e-9);
      expect(left.get('requests')).to.equal(REQUESTS - EXCHANGES);
      expect(left.get('concurrent')).to.equal(AT_ONCE);
      if (redis !== undefined) expect((await lookIntoRedis(redis)).open).to.deep.equal([]);
    });
  });
}
