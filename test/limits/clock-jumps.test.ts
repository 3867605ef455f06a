import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '../../core/api/codec.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, type Limited } from './support/limited.ts';

const HOUR = 3_600_000;
const variables = { NODE_OPTIONS: `--import ${new URL('support/shifted-clock.js', import.meta.url).href}` };
/** One small request fits a budget, and a second does not. */
const keys = {
  window: [{ requests: 5, per: '30m' }],
  later: [{ requests: 5, per: '30m' }],
  budget: [{ cost: 0.0001, per: 'hour' }],
};

for (const shared of [false, true]) {
  describe(`limits when the clock of a gateway jumps, ${shared ? 'with Redis' : 'without Redis'}`, function () {
    this.timeout(120_000);
    let redis: RedisServer | undefined;
    let gateway: Limited;
    before(async function () {
      if (shared) requireRedis(this);
      redis = shared ? await startRedis() : undefined;
      gateway = await startLimited(
        omitUndefined({ keys, variables, redis: redis === undefined ? undefined : redis.url }),
      );
    });
    after(async () => {
      await gateway?.end();
      await redis?.stop();
    });
    const admitted = async (key: string, times: number): Promise<number> => {
      let count = 0;
      for (let asked = 0; asked < times; asked += 1) {
        const settled = gateway.exchanges().length;
        if ((await gateway.ask(key)).status === 200) count += 1;
        await until('its settlement', () => gateway.exchanges().length === settled + 1);
      }
      return count;
    };
    /** The log of the gateway shows its clock. */
    const jump = async (shiftMs: number): Promise<void> => {
      gateway.signal('SIGUSR2');
      await delay(100);
      await admitted('window', 1);
      expect(Date.parse(String(gateway.exchanges().at(-1)?.['ts'])) - Date.now()).to.be.closeTo(shiftMs, 60_000);
    };

    it('clock jumps keep sliding windows unchanged, and move budgets with the clock that counts them', async () => {
      // All requests are in the same hour.
      const left = HOUR - (Date.now() % HOUR);
      if (left < 20_000) await delay(left + 100);
      expect([await admitted('window', 7), await admitted('budget', 3)]).to.deep.equal([5, 1]);

      await jump(HOUR);
      expect([await admitted('window', 3), await admitted('budget', 3)]).to.deep.equal([0, shared ? 0 : 1]);
      expect(await admitted('later', 3)).to.equal(3);

      await jump(-HOUR);
      expect([await admitted('window', 3), await admitted('budget', 3)]).to.deep.equal([0, shared ? 0 : 1]);
      expect(await admitted('later', 3)).to.equal(2);

      await jump(0);
      expect([await admitted('window', 3), await admitted('later', 3), await admitted('budget', 3)]).to.deep.equal([
        0, 0, 0,
      ]);
    });
  });
}
