import { expect } from 'chai';
import { askAdmin, createKey, json, readJson, statusWith } from '../../support/admin.ts';
import { KEY } from '../../support/gateway.ts';
import { readError } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { startServed, type Served, type ServedLimits } from './served/served.ts';

interface Listed {
  readonly store: string;
  readonly next: string | null;
  readonly unread: number;
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
    expect(listed).to.include({ store: 'local', next: null, unread: 0 });
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
      allowUnknownProject: true,
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

  it('names the parameter that it cannot use', async () => {
    served = await startServed({});
    for (const [name, query] of [
      ['user', 'user=ann'],
      ['kind', 'kind=cost'],
      ['state', 'state=near,spent'],
      ['sort', 'sort=-per'],
      ['limit', 'limit=0'],
      ['limit', 'limit=1001'],
      ['find', 'find=%00'],
      ['cursor', 'cursor=x'],
      ['cursor', `cursor=${Buffer.from('["used","",0,"acme","web","alice","alice",0,"x"]').toString('base64url')}`],
      ['after', `cursor=${Buffer.from('["owner","x",0,"acme","web","alice","alice",0,"x"]').toString('base64url')}`],
    ] as const) {
      const reply = await askAdmin(served.gateway, 'GET', `/admin/limits?${query}`, undefined, json);
      expect([reply.status, readError(reply).error.param], query).to.deep.equal([400, name]);
    }
  });

  it('selects limits by kind, by use, by their owner, and those that apply to a key', async () => {
    served = await startServed({ ...levels, alice: [{ requests: 2, per: '1m' }] });
    expect(await statusWith(served.gateway, KEY)).to.equal(200);
    expect(await statusWith(served.gateway, KEY)).to.equal(200);
    const all = ['organization cost 0/0.5', 'project requests 2/90', 'key alice requests 2/2', 'key bob requests 0/10'];
    for (const [query, ...wanted] of [
      ['', 0, 1, 2, 3],
      ['kind=budget', 0],
      ['kind=rate', 1, 2, 3],
      ['state=near', 2],
      ['state=spent&kind=budget'],
      ['find=WEB/al', 2],
      ['organization=acme&project=web&key=bob', 0, 1, 3],
      ['key=none'],
    ] as const)
      expect(bars(await list(served, `?${query}`)), query).to.deep.equal(wanted.map((index) => all[index]));
  });

  it('lists each limit once over pages, in every order', async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 800 }, (_, index) => [`k${index}`, { key: `key-of-${index}-0123456789` }]),
    );
    const projects = { web: { limits: [{ requests: 100, per: '1m' }], keys }, app: { keys: { zoe: { key: KEY } } } };
    served = await startServed({
      everyKey: [{ requests: 60, per: '1m' }, { concurrent: 8 }],
      settings: { organizations: { acme: { limits: [{ cost: 1, per: 'day' }], projects } } },
    });
    await createKey(served.gateway, { name: 'k5', organization: 'acme', project: 'app' });
    expect(await statusWith(served.gateway, KEY)).to.equal(200);
    const pages = async (sort: string, limit: number): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(served, `?sort=${sort}&limit=${limit}${cursor}`);
        expect(page.limits.length).to.be.at.most(limit);
        found.push(...bars(page));
        if (page.next === null) return found;
        cursor = `&cursor=${page.next}`;
      }
    };
    const owners = await pages('owner', 1_000);
    expect([owners.length, new Set(owners).size]).to.deep.equal([1_606, 1_604]);
    expect(owners.slice(0, 6)).to.deep.equal([
      'organization cost 0/1',
      'key k5 requests 0/60',
      'key k5 concurrent 0/8',
      'key zoe requests 1/60',
      'key zoe concurrent 0/8',
      'project requests 0/100',
    ]);
    expect(await pages('owner', 99)).to.deep.equal(owners);
    expect(await pages('-owner', 400)).to.deep.equal(owners.toReversed());
    const used = await pages('-used', 400);
    expect(used).to.deep.equal(['key zoe requests 1/60', ...owners.filter((bar) => !bar.includes(' 1/60'))]);
    expect(await pages('used', 1_000)).to.deep.equal([...used.slice(1), used[0]]);
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
