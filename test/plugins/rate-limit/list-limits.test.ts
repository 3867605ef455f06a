import { expect } from 'chai';
import { askAdmin, createKey, json, readJson, statusWith } from '../../support/admin.ts';
import { KEY } from '../../support/gateway.ts';
import { readError } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { startServed, type Served, type ServedLimits } from './served/served.ts';

interface Listed {
  readonly store: string;
  readonly more: boolean;
  readonly limits: readonly {
    readonly scope: string;
    readonly key?: string;
    readonly unit: string;
    readonly limit: number;
    readonly used: number;
    readonly resetMs: number;
  }[];
}
const list = async ({ gateway }: Served, query = ''): Promise<Listed> =>
  readJson<Listed>(await askAdmin(gateway, 'GET', `/admin/limits${query}`));
const bars = ({ limits }: Listed): readonly string[] =>
  limits.map(({ scope, key = '', unit, used, limit }) => `${scope} ${key} ${unit} ${used}/${limit}`.replace('  ', ' '));

const levels: ServedLimits = {
  organization: [{ cost: 0.5, per: 'month' }],
  project: [{ requests: 90, per: '1m' }],
  everyKey: [{ requests: 60, per: '1m', burst: 10 }],
  alice: [{ requests: 5, per: '1m', models: ['simulator/*'], enforce: false }, { concurrent: 8 }],
};

describe('rate-limit: the list of limits', () => {
  let served: Served;
  afterEach(() => served.stop());

  it('lists shared limits first, each with its use', async () => {
    served = await startServed(levels);
    expect(await statusWith(served.gateway, KEY)).to.equal(200);
    const listed = await list(served);
    expect(bars(listed)).to.deep.equal([
      'organization cost 0/0.5',
      'project requests 1/90',
      'key alice requests 1/5',
      'key alice concurrent 0/8',
      'key bob requests 0/10',
    ]);
    expect(listed).to.include({ store: 'local', more: false });
    expect(listed.limits[2]).to.deep.include({
      scope: 'key',
      organization: 'acme',
      project: 'web',
      key: 'alice',
      unit: 'requests',
      amount: 5,
      per: '1m',
      models: ['simulator/*'],
      enforce: false,
    });
    expect(listed.limits[2]?.resetMs).to.be.within(1, 62_000);
    expect(await list(served)).to.have.nested.property('limits[1].used', 1);
  });

  it('includes keys of the database in the list of limits until they are revoked', async () => {
    served = await startServed({ everyKey: [{ requests: 60, per: '1m' }] });
    const { id } = await createKey(served.gateway, {
      name: 'carol',
      organization: 'globex',
      limits: [{ tokens: 1_000, per: '1h' }],
    });
    expect(bars(await list(served))).to.deep.equal([
      'key alice requests 0/60',
      'key bob requests 0/60',
      'key carol tokens 0/1000',
    ]);
    expect(bars(await list(served, '?organization=globex'))).to.deep.equal(['key carol tokens 0/1000']);
    expect(bars(await list(served, '?organization=acme&project=none'))).to.deep.equal([]);
    await askAdmin(served.gateway, 'DELETE', `/admin/keys/${id}`);
    expect(bars(await list(served, '?organization=globex'))).to.deep.equal([]);
  });

  it('names an unknown parameter in the refusal', async () => {
    served = await startServed({});
    const reply = await askAdmin(served.gateway, 'GET', '/admin/limits?key=alice', undefined, json);
    expect([reply.status, readError(reply).error.param]).to.deep.equal([400, 'key']);
  });

  it('lists at most 500 limits, and reports that there are more', async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`k${index}`, { key: `key-of-${index}-0123456789` }]),
    );
    const organizations = { acme: { limits: [{ cost: 1, per: 'day' }], projects: { web: { keys } } } };
    served = await startServed({
      everyKey: [{ requests: 60, per: '1m' }, { concurrent: 8 }],
      settings: { organizations },
    });
    const listed = await list(served);
    expect([listed.limits.length, listed.more, listed.limits[0]?.scope]).to.deep.equal([500, true, 'organization']);
  });

  describe('with Redis', () => {
    let redis: RedisServer;
    before(async function () {
      requireRedis(this);
      redis = await startRedis();
    });
    after(() => redis?.stop());

    it('shows the shared count, and during an outage the part of this host', async () => {
      served = await startServed({
        ...levels,
        settings: {
          store: { redis: redis.url, database: 'sqlite:./koine.db' },
          plugins: [{ use: 'auth' }, { use: 'rate-limit', config: { replicas: 2 } }],
        },
      });
      expect(await statusWith(served.gateway, KEY)).to.equal(200);
      const shared = await list(served);
      expect([shared.store, bars(shared)[1], bars(shared)[2]]).to.deep.equal([
        'redis',
        'project requests 1/90',
        'key alice requests 1/5',
      ]);
      await redis.kill();
      const local = await list(served);
      expect([local.store, bars(local)[1]]).to.deep.equal(['local', 'project requests 0/45']);
    });
  });
});
