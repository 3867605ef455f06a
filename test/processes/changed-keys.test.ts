import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, startLimited, type Limited } from '../limits/support/limited.ts';
import { json, readJson, type Issued } from '../support/admin.ts';
import { goodHeaders, send } from '../support/http.ts';
import { startPostgres, requirePostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';

describe('changes of keys with workers, a second host, Postgres and Redis', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let hosts: readonly [Limited, Limited];
  let key: Issued;
  before(async function start() {
    requirePostgres(this);
    requireRedis(this);
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const settings = { keys: {}, database: postgres.url, redis: redis.url, redisTimeout: '2s' };
    hosts = await Promise.all([startLimited({ ...settings, workers: 2 }), startLimited(settings)]);
    const made = await send(hosts[0].adminUrl, {
      path: '/admin/keys',
      headers: json,
      body: JSON.stringify({
        name: 'bob',
        organization: 'acme',
        project: 'web',
        limits: [{ requests: 20, per: '1h' }],
      }),
    });
    key = readJson<Issued>(made, 201);
  });
  after(async () => {
    await Promise.all((hosts ?? []).map((host) => host.end()));
    await Promise.all([postgres?.stop(), redis?.stop()]);
  });

  /** Changes the key by one host, and waits until it applies: each process caches keys for one second. */
  const change = async (host: Limited, body: object): Promise<void> => {
    const path = `/admin/keys/${key.id}`;
    readJson(await send(host.adminUrl, { method: 'PATCH', path, headers: json, body: JSON.stringify(body) }));
    await delay(1_100);
  };
  /** The statuses of requests to both hosts in turn, each on a connection of its own. */
  const ask = (count: number): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const headers = { ...goodHeaders, authorization: `Bearer ${key.secret}` };
        const path = '/v1/chat/completions';
        return (await send(hosts[index % 2]!.url, { path, headers, body: bodyOf() })).status;
      }),
    );
  const count = (statuses: readonly number[], status: number): number =>
    statuses.filter((each) => each === status).length;

  it('a changed limit applies on both hosts, and keeps what was used', async () => {
    expect(count(await ask(12), 200)).to.equal(12);
    await change(hosts[1], { limits: [{ requests: 15, per: '1h' }] });
    expect(count(await ask(12), 200)).to.equal(3);
    await change(hosts[0], { limits: [{ requests: 17, per: '1h' }] });
    expect(count(await ask(12), 200)).to.equal(2);
    await change(hosts[0], { limits: [] });
    expect(count(await ask(12), 200)).to.equal(12);
  });

  it('a changed budget keeps what was spent', async () => {
    await change(hosts[0], { limits: [{ cost: 1, per: 'month' }] });
    expect(count(await ask(4), 200)).to.equal(4);
    const [before] = await hosts[1].left('bob');
    expect(before?.spent).to.be.greaterThan(0);
    await change(hosts[1], { limits: [{ cost: before?.spent, per: 'month' }] });
    expect(count(await ask(6), 429)).to.equal(6);
    await change(hosts[0], { limits: [{ cost: 2, per: 'month' }] });
    const [after] = await hosts[0].left('bob');
    expect(after?.amount).to.equal(2);
    expect(after?.spent).to.be.at.least(before?.spent ?? 1);
    expect(count(await ask(6), 200)).to.equal(6);
  });

  it('every worker of every host refuses a disabled key, and accepts it again', async () => {
    await change(hosts[0], { disabled: true });
    expect(count(await ask(12), 401)).to.equal(12);
    await change(hosts[1], { disabled: false });
    expect(count(await ask(12), 200)).to.equal(12);
  });
});
