import { expect } from 'chai';
import { Redis } from 'ioredis';
import { askAdmin, readJson } from '../../support/admin.ts';
import { callOf, greet } from '../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { until } from '../../support/until.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

interface Circuit {
  readonly model: string;
  readonly state: string;
  readonly reason?: string;
}

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1/v1';
const MODEL = 'house/talk';

describe('hints between gateways that share a Redis', () => {
  let redis: RedisServer;
  let vendor: TestUpstream;
  let gateways: TestGateway[];
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  beforeEach(async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    vendor = await startUpstream();
    vendor.answer = greet;
    gateways = [];
  });
  afterEach(async () => {
    for (const gateway of gateways) await gateway.stop();
    await vendor.stop();
  });
  after(() => redis?.stop());

  const start = async (circuit: object = {}, baseUrl = `${vendor.url}/v1`): Promise<TestGateway> => {
    const gateway = await startTestGateway({
      store: { database: 'sqlite::memory:', redis: redis.url },
      providers: { openai: { use: 'openai', config: { apiKey: 'k', baseUrl } }, spare: { use: 'simulator' } },
      models: {
        [MODEL]: {
          targets: [
            { provider: 'openai', model: 'gpt-4.1', wire: 'chat-completions' },
            { provider: 'spare', model: 'chat' },
          ],
        },
      },
      plugins: [{ use: 'auth' }, { use: 'failover', config: { retries: 0, circuit } }],
    });
    gateways.push(gateway);
    return gateway;
  };
  const ask = async ({ url }: TestGateway, count = 1): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      expect((await send(url, callOf('chat', MODEL))).status).to.equal(200);
  };
  const circuitsOf = async (gateway: TestGateway): Promise<readonly Circuit[]> =>
    readJson<{ circuits: Circuit[] }>(await askAdmin(gateway, 'GET', '/admin/circuits')).circuits;
  const stateOf = async (gateway: TestGateway): Promise<string> => {
    const [circuit] = await circuitsOf(gateway);
    return circuit === undefined ? 'closed' : `${circuit.state} ${circuit.reason ?? ''}`.trim();
  };
  const reaches = (gateway: TestGateway, state: string): Promise<void> =>
    until(`the circuit is ${state}`, async () => (await stateOf(gateway)) === state);

  it('a circuit that opens at one gateway is probed at the other, which finds out that its own target is good', async () => {
    const good = await start();
    await ask(good);
    const cut = await start({ open: '10m', longest: '10m' }, NOWHERE);
    await ask(cut, 5);
    await reaches(cut, 'open transient');
    await reaches(good, 'half-open hint');
    vendor.calls.length = 0;
    await ask(good, 4);
    expect(vendor.calls).to.have.length(4);
    expect(await stateOf(good)).to.equal('closed');
    expect(good.lines.filter(({ text }) => text.startsWith('another process has found')).length).to.equal(1);
  });

  it('a circuit that was hinted opens with the first failure, and not with the fifth', async () => {
    const warned = await start({ open: '10m', longest: '10m' });
    await ask(warned);
    vendor.answer = (response) => answerJson(response, { error: { message: 'No.' } }, 500);
    const cut = await start({ open: '10m', longest: '10m' }, NOWHERE);
    await ask(cut, 5);
    await reaches(warned, 'half-open hint');
    vendor.calls.length = 0;
    await ask(warned, 5);
    expect(vendor.calls).to.have.length(1);
    expect(await stateOf(warned)).to.equal('open transient');
  });

  it('a credential that is good again at one gateway is probed at once at the other', async () => {
    vendor.answer = (response) => answerJson(response, { error: { message: 'No.', code: 'invalid_api_key' } }, 401);
    const patient = await start({ open: '10m', longest: '10m' });
    const quick = await start({ open: '300ms', longest: '300ms' });
    for (const gateway of [patient, quick]) {
      await ask(gateway);
      await reaches(gateway, 'open credential');
    }
    vendor.answer = greet;
    await until('the quick one uses it', async () => {
      await ask(quick);
      return (await stateOf(quick)) === 'closed';
    });
    await until('the patient one uses it', async () => {
      await ask(patient);
      return (await stateOf(patient)) === 'closed';
    });
  });

  it('what others have written there is ignored, and hints of another time are removed', async () => {
    const client = new Redis(redis.url);
    try {
      const texts = ['no JSON', '1', '{}', '{"provider":"openai","model":"gpt-4.1","credential":"key-1","from":"x"}'];
      for (const text of texts) await client.zadd('koine:{failover}:hints', Date.now() + 60_000, text);
      const gateway = await start();
      await ask(gateway);
      await until('it has read and removed them', async () => (await client.exists('koine:{failover}:hints')) === 0);
      expect(await stateOf(gateway)).to.equal('closed');
      expect(gateway.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    } finally {
      client.disconnect();
    }
  });
});
