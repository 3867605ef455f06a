import { expect } from 'chai';
import { GatewayError, type RequestHead } from '../../../core/api/index.ts';
import { openRedis, type RedisConnection } from '../../../core/services/redis/redis.ts';
import { until } from '../../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { alice, createAuth, createHead, createKnownKeys, createRecord, settle, type TestAuth } from './auth-setup.ts';

const LIMIT = 4;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const present = (text: string, address: string): RequestHead => ({
  ...createHead({ authorization: `Bearer ${text}` }),
  address,
});
interface Client {
  readonly status: string;
  get(key: string): Promise<string | null>;
  pttl(key: string): Promise<number>;
}
const clientOf = ({ client }: Pick<RedisConnection, 'client'>): Client => client as Client;
const tryKey = async ({ identify }: TestAuth, text: string, address: string): Promise<unknown> => {
  const result = await settle(() => identify(present(text, address)));
  return GatewayError.is(result) ? result.code : result;
};

describe('addresses that present wrong keys, with Redis', () => {
  let redis: RedisServer;
  const connections: RedisConnection[] = [];

  /** A plugin instance as in another process. */
  const start = async (): Promise<TestAuth> => {
    const connection = openRedis(redis.url, silent);
    connections.push(connection);
    await until('the connection is there', () => clientOf(connection).status === 'ready');
    return createAuth(
      createKnownKeys({ good: createRecord('good') }),
      { failures: { limit: LIMIT, per: '1m', block: '1m' } },
      { redis: connection },
    );
  };
  const count = async (address: string): Promise<number> =>
    Number(await clientOf(connections[0]!).get(`koine:auth-failures:${address}`));
  /** Presents wrong keys one after the other; each is counted before the next. */
  const fail = async (auth: TestAuth, address: string, times: number): Promise<void> => {
    for (let done = 0; done < times; done += 1) {
      const before = await count(address);
      expect(await tryKey(auth, `wrong-${done}`, address)).to.equal('invalid_api_key');
      await until('the failure is counted', async () => (await count(address)) > before);
    }
  };
  const isBlocked = async (auth: TestAuth, address: string): Promise<boolean> => {
    await until('the block is known', () => auth.logged.length > 0);
    return (await tryKey(auth, 'next', address)) === 'rate_limit_exceeded';
  };

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
  });
  after(() => redis?.stop());

  it('counts wrong keys across processes, each of which learns of a block at its next failure', async () => {
    const [one, two] = [await start(), await start()];
    const address = '203.0.113.1';
    await fail(one, address, LIMIT - 1);
    await fail(two, address, 1);
    expect(await isBlocked(two, address)).to.equal(true);
    expect(await tryKey(one, 'wrong', address)).to.equal('invalid_api_key');
    expect(await isBlocked(one, address)).to.equal(true);
    expect(await tryKey(one, 'good', '203.0.113.2')).to.equal(alice);
  });

  it('leaves no counts in Redis after their window', async () => {
    const auth = await start();
    await fail(auth, '203.0.113.3', 1);
    expect(await clientOf(connections[0]!).pttl('koine:auth-failures:203.0.113.3')).to.be.within(1, 60_000);
  });

  for (const [how, stop, again] of [
    ['is frozen', () => redis.pause(), () => redis.resume()],
    ['is down', () => redis.kill(), () => redis.restart()],
  ] as const) {
    it(`responds at once while Redis ${how}, and counts wrong keys in each process`, async () => {
      const auth = await start();
      const address = `203.0.113.${how.length}0`;
      await stop();
      try {
        for (let done = 0; done < LIMIT; done += 1) {
          const { identify } = auth;
          expect(() => identify(present(`wrong-${done}`, address)))
            .to.throw(GatewayError)
            .with.property('code', 'invalid_api_key');
        }
        await until('the address is blocked', () => auth.logged.length > 0);
        expect(await tryKey(auth, 'next', address)).to.equal('rate_limit_exceeded');
        expect(await tryKey(auth, 'good', address)).to.equal(alice);
        expect(auth.failures).to.deep.include({ unknown: LIMIT });
        expect(await tryKey(auth, 'good', '203.0.113.99')).to.equal(alice);
      } finally {
        await again();
      }
    });
  }
});
