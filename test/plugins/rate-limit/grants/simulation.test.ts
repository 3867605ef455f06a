import { expect } from 'chai';
import type { RedisConnection } from '../../../../core/services/redis/redis.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { commandsOf, connectRedis } from '../store/stores.ts';
import { simulate } from './simulation.ts';

describe('many gateways with grants, simulated', function () {
  this.timeout(120_000);
  let server: RedisServer;
  let redis: RedisConnection;
  before(async function startServer() {
    requireRedis(this);
    server = await startRedis();
    redis = await connectRedis(server);
  });
  after(async () => {
    await redis?.close();
    await server?.stop();
  });
  beforeEach(async () => void (await commandsOf(redis).call('FLUSHALL')));

  it('200 gateways admit exactly the limit, and refuse early only what others hold', async () => {
    const scenario = { gateways: 200, perSecond: 40, seconds: 1.5, limit: 10_000, exchangeMs: 300 };
    const { admitted, tooMany, leftAtRefusal, heldAtRefusal, callsPerRequest } = await simulate(redis, scenario);
    expect({ admitted, tooMany }).to.deep.equal({ admitted: 10_000, tooMany: 0 });
    expect(leftAtRefusal).to.be.at.most(heldAtRefusal!);
    expect(heldAtRefusal, 'a twentieth').to.be.at.most(500);
    expect(callsPerRequest).to.be.below(1);
  });

  it('of a busy gateway, Redis is called for one request in some forty', async () => {
    const scenario = { gateways: 2, perSecond: 500, seconds: 2, limit: 1_000_000, exchangeMs: 300 };
    const { requests, admitted, tooMany, callsPerRequest } = await simulate(redis, scenario);
    expect({ admitted, tooMany }).to.deep.equal({ admitted: requests, tooMany: 0 });
    expect(callsPerRequest).to.be.below(0.05);
  });
});
