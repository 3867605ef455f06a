import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { sharedPostgres } from '../../../support/servers/databases.ts';
import { requirePostgres } from '../../../support/servers/postgres.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { startLimited } from '../../../limits/support/limited.ts';
import { runKoine } from '../run-koine.ts';

describe('koine check --live', function suite() {
  this.timeout(60_000);
  const folder = createTemporaryFolder();
  let locked: RedisServer;
  const check = (store: object) => {
    writeFileSync(join(folder.path, 'gateway.yaml'), JSON.stringify({ store }));
    return runKoine(['check', '--live'], { cwd: folder.path });
  };

  before(async function start() {
    requireRedis(this);
    requirePostgres(this);
    locked = await startRedis('--requirepass', 'live-secret');
  });
  after(async () => {
    await locked?.stop();
    folder.remove();
  });

  it('exits with 0 when Redis and Postgres can be used', async () => {
    const { url: database } = await sharedPostgres();
    const { code, err } = await check({ database, redis: { url: locked.url, password: 'live-secret' } });
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });

  it('says what is wrong, and exits with 1', async () => {
    const without = await check({ redis: locked.url });
    expect(without.code).to.equal(1);
    expect(without.err).to.match(/^store\.redis cannot be used: NOAUTH .*\(set store\.redis\.password/);
    const wrong = await check({
      database: 'postgres://koine:wrong-secret@127.0.0.1:9/koine',
      redis: { url: locked.url, password: 'wrong-secret' },
    });
    expect(wrong.code).to.equal(1);
    expect(wrong.err)
      .to.include('(check username and password of store.redis)')
      .and.include('store.database cannot be used: ')
      .and.include('ECONNREFUSED');
    expect(wrong.out + wrong.err).to.not.include('wrong-secret');
  });

  it('/readyz of the admin listener says it too, without addresses', async () => {
    const gateway = await startLimited({ keys: { alice: [{ requests: 5, per: '1h' }] }, redis: locked.url });
    try {
      const ready = (url: string) => send(url, { method: 'GET', path: '/readyz', headers: {} });
      await until('a reason', async () => (await ready(gateway.adminUrl)).text.includes('store.redis.password'));
      const { status, text } = await ready(gateway.adminUrl);
      expect([status, JSON.parse(text)]).to.deep.equal([
        200,
        { status: 'ok', redis: 'set store.redis.password, or the password of its URL' },
      ]);
      expect(JSON.parse((await ready(gateway.url)).text)).to.deep.equal({ status: 'ok' });
    } finally {
      await gateway.end();
    }
  });
});
