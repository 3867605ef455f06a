import { expect } from 'chai';
import type { Attribution, Exchange, Limit, PluginInstance } from '../../../../core/api/index.ts';
import { createMemory } from '../../../../core/services/shared-memory/arena.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import type { Bucket } from '../../../../plugins/rate-limit/store/store.ts';
import { createManualClock } from '../store/stores.ts';
import { createExchange, createLimiter, createOutcome, limit, usageOf } from '../setup.ts';

const of = (attribution?: Attribution): Exchange => createExchange(attribution === undefined ? {} : { attribution });
const user = (name: string): Exchange => of({ user: name });
const each = (of: Limit['each'], unit: Limit['unit'], amount: number, more: Partial<Limit> = {}): Limit =>
  limit(unit, amount, { ...more, ...(of === undefined ? {} : { each: of }) });

interface Explained {
  readonly each?: string;
  readonly applies?: boolean;
  readonly remaining?: number;
}
const explain = async (plugin: PluginInstance, exchange: Exchange): Promise<readonly Explained[]> => {
  const says = (await plugin.explain?.(exchange)) as { readonly limits: readonly Explained[] } | undefined;
  return says?.limits ?? [];
};

describe('rate-limit: limits of each user', () => {
  it('counts each user for itself, and the key for all of them', async () => {
    const { admit, refused } = await createLimiter({ key: [limit('requests', 3), each('user', 'requests', 1)] });
    await admit(user('ann'));
    await admit(user('ben'));
    const error = await refused(user('ann'));
    expect(error.message).to.match(
      /^Rate limit exceeded: 1 request per 1m for each user of the key alice; try again in \d+s\.$/,
    );
    expect(error.headers).to.include({ 'x-koine-limit': 'key;requests;1m;user' });
    await admit(user('cid'));
    expect((await refused(user('dan'))).message).to.include('3 requests per 1m of the key alice');
  });

  it('does not apply to requests without a user', async () => {
    const { admit, plugin } = await createLimiter({ key: [each('user', 'requests', 1)] });
    await admit(user('ann'));
    expect(plugin.admit?.(of())).to.equal(undefined);
    expect(plugin.admit?.(of({ tags: { team: 'search' } }))).to.equal(undefined);
  });

  it('counts a user over all keys of a project, if the project has the limit', async () => {
    const { admit, refused } = await createLimiter({ project: [each('user', 'requests', 1)] });
    const bob = { key: 'bob', project: 'web', organization: 'acme', models: [] };
    await admit(user('ann'));
    expect((await refused({ ...user('ann'), caller: bob })).message).to.include('for each user of the project web');
    await admit({ ...user('ben'), caller: bob });
  });

  it('gives back what was reserved for a user and not used', async () => {
    const { admit, refused } = await createLimiter({
      key: [each('user', 'tokens', 120), each('user', 'concurrent', 5)],
    });
    const admission = await admit(user('ann'));
    expect((await refused(user('ann'))).message).to.include('120 tokens per 1m for each user');
    await admission?.settle?.(createOutcome(undefined, { attempts: [] }));
    await admit(user('ann'));
  });

  it('counts the running requests of each user', async () => {
    const { admit, refused } = await createLimiter({ key: [each('user', 'concurrent', 1)] });
    const admission = await admit(user('ann'));
    await admit(user('ben'));
    expect((await refused(user('ann'))).message).to.include('1 concurrent request for each user of the key alice');
    await admission?.settle?.(createOutcome());
    await admit(user('ann'));
  });

  it('has no name of a user in a label of a metric, however many there are', async () => {
    const limiter = await createLimiter({
      key: [each('user', 'requests', 1), each('user', 'cost', 1)],
      organization: [each('user', 'cost', 1)],
    });
    for (let index = 0; index < 50; index += 1) await limiter.admit(user(`hostile-${index}"},{le="`));
    expect([...limiter.metrics.keys()].toSorted()).to.deep.equal([
      'decisions_total{key;cost;month;user,cost,allow,local}',
      'decisions_total{key;requests;1m;user,requests,allow,local}',
      'decisions_total{organization;cost;month;user,cost,allow,local}',
    ]);
  });

  it('sends no alert for a budget of each user', async () => {
    const { admit, calls } = await createLimiter({ organization: [each('user', 'cost', 1)] });
    const admission = await admit(user('ann'));
    await admission?.settle?.(createOutcome(usageOf(1, 1), { cost: 10n }));
    expect(calls).to.not.include('alert');
  });
});

describe('rate-limit: limits of each tag', () => {
  it('counts each value of the tag for itself', async () => {
    const { admit, refused } = await createLimiter({ key: [each('tag:team', 'requests', 1)] });
    await admit(of({ tags: { team: 'search', env: 'prod' } }));
    await admit(of({ tags: { team: 'chat', env: 'prod' } }));
    const error = await refused(of({ user: 'ann', tags: { team: 'search' } }));
    expect(error.message).to.include('1 request per 1m for each value of tag:team of the key alice');
    expect(error.headers).to.include({ 'x-koine-limit': 'key;requests;1m;tag:team' });
    await admit(of({ tags: { env: 'prod' } }));
    await admit(of({ tags: { constructor: 'x' } }));
  });

  it('explains the limits of a request with its user and tags', async () => {
    const { admit, plugin } = await createLimiter({
      key: [limit('requests', 9), each('user', 'requests', 5), each('tag:team', 'requests', 7)],
    });
    const attribution = { user: 'ann', tags: { team: 'search' } };
    await admit(of(attribution));
    const limits = await explain(plugin, of(attribution));
    expect(limits.map(({ each: of, remaining }) => [of, remaining])).to.deep.equal([
      [undefined, 8],
      ['user', 4],
      ['tag:team', 6],
    ]);
  });

  it('explains which limits do not apply, because the request has no such user or tag', async () => {
    const { plugin } = await createLimiter({ key: [limit('requests', 9), each('user', 'requests', 5)] });
    const limits = await explain(plugin, of());
    expect(limits.map(({ each: of, applies, remaining }) => [of, applies, remaining])).to.deep.equal([
      [undefined, undefined, 9],
      ['user', false, undefined],
    ]);
  });
});

describe('the memory of limits of each user', () => {
  const bucketOf = (name: string, more: Partial<Bucket> = {}): Bucket => ({
    key: name,
    kind: 'window',
    limit: 10,
    per: 86_400_000,
    rate: 10,
    enforce: true,
    isNamed: true,
    ...more,
  });

  it('keeps the users that were seen last, and all other buckets', () => {
    const store = new MemoryStore(createManualClock(), createMemory(1), { worker: 0, aheadMs: 0 }, 2);
    let ids = 0;
    const take = (bucket: Bucket): void => {
      const { admitted } = store.reserve({
        id: `${(ids += 1)}`,
        tenant: 'acme',
        leaseMs: 60_000,
        charges: [{ bucket, amount: 1, kept: 1 }],
      }) as { readonly admitted: boolean };
      expect(admitted).to.equal(true);
    };
    const { isNamed: _isNamed, ...shared } = bucketOf('shared');
    const names = ['shared', 'ann', 'ben', 'cid'];
    const left = (): readonly number[] =>
      store
        .peek(
          'acme',
          names.map((name) => ({ bucket: name === 'shared' ? shared : bucketOf(name), amount: 0 })),
        )
        .map(({ remaining }) => remaining);
    take(shared);
    take(bucketOf('ann'));
    take(bucketOf('ben'));
    take(bucketOf('ann'));
    take(bucketOf('cid'));
    expect(left()).to.deep.equal([9, 8, 10, 9]);
    for (let index = 0; index < 100; index += 1) store.settle('acme', `${index}`, [1]);
    expect(left()[0]).to.equal(9);
  });
});
