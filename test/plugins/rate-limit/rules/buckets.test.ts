import { expect } from 'chai';
import { createBucket, scaleBucket } from '../../../../plugins/rate-limit/rules/buckets.ts';
import type { CallerScope, Limit } from '../../../../core/api/index.ts';
import { limit } from '../setup.ts';

const keyScope = (...path: readonly string[]): CallerScope => ({ scope: 'key', path, limits: [] });
const aliceScope = keyScope('acme', 'web', 'alice');
const keyOf = (of: Limit, scope = aliceScope): string => createBucket(scope, of).key;

describe('rate-limit: buckets', () => {
  it('buckets have the kind that their limit needs', () => {
    const kinds = [
      limit('requests', 60),
      limit('requests', 60, { burst: 100 }),
      limit('cost', 5e9),
      limit('concurrent', 8),
    ].map((of) => {
      const { kind, limit: most, per, rate } = createBucket(aliceScope, of);
      return [kind, most, per, rate];
    });
    expect(kinds).to.deep.equal([
      ['window', 60, 60_000, 60],
      ['token-bucket', 100, 60_000, 60],
      ['calendar', 5e9, 0, 5e9],
      ['leases', 8, 0, 8],
    ]);
  });

  it('buckets keep their key when the amount changes', () => {
    for (const [one, other] of [
      [limit('requests', 60), limit('requests', 90)],
      [limit('requests', 60, { burst: 100 }), limit('requests', 90, { burst: 120 })],
      [limit('cost', 1e9), limit('cost', 2e9)],
      [limit('tokens', 5, { models: ['a/*', 'b/c'] }), limit('tokens', 6, { models: ['b/c', 'a/*', 'a/*'] })],
      [limit('concurrent', 8, { onStoreFailure: 'deny' }), limit('concurrent', 9)],
    ] as const)
      expect(keyOf(one)).to.equal(keyOf(other));
  });

  it('buckets of different scopes, units, windows, kinds, models and shadow limits have different keys', () => {
    const keys = [
      keyOf(limit('requests', 60)),
      keyOf(limit('tokens', 60)),
      keyOf(limit('requests', 60, { per: 1_000 })),
      keyOf(limit('requests', 60, { burst: 60 })),
      keyOf(limit('requests', 60, { models: ['a/*'] })),
      keyOf(limit('requests', 60, { models: ['a/b'] })),
      keyOf(limit('requests', 60, { enforce: false })),
      keyOf(limit('cost', 60, { per: 'day' })),
      keyOf(limit('cost', 60, { per: 'month' })),
      keyOf(limit('requests', 60), keyScope('acme', 'web', 'bob')),
      keyOf(limit('requests', 60), { scope: 'project', path: ['acme', 'web', 'alice'], limits: [] }),
      keyOf(limit('requests', 60), { scope: 'project', path: ['acme', 'web'], limits: [] }),
    ];
    expect(new Set(keys).size).to.equal(keys.length);
  });

  it('buckets have different keys whatever characters names contain', () => {
    const keys = [
      keyScope('a/b', 'c', 'd'),
      keyScope('a', 'b/c', 'd'),
      keyScope('a', 'b', 'c/d'),
      keyScope('a;b', 'c', 'd'),
      keyScope('a%2Fb', 'c', 'd'),
      keyScope('{a}', 'c', 'd'),
      keyScope('\ud800', 'c', 'd'),
    ].map((scope) => keyOf(limit('requests', 1), scope));
    expect(new Set(keys).size).to.equal(keys.length);
    for (const key of keys)
      expect(key)
        .to.match(/^[\x21-\x7e]+$/)
        .and.not.match(/[{}]/);
  });

  it('buckets have the part of one host after scaling, at least one', () => {
    const bucket = createBucket(aliceScope, limit('requests', 10, { burst: 20 }));
    expect(scaleBucket(bucket, 0.25)).to.deep.equal({ ...bucket, limit: 5, rate: 2 });
    expect(scaleBucket(bucket, 0.01)).to.include({ limit: 1, rate: 1 });
    expect(scaleBucket(bucket, 1)).to.deep.equal(bucket);
  });
});
