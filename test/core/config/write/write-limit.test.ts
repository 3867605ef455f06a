import { expect } from 'chai';
import { readLimits } from '../../../../core/config/validate/read-limits.ts';
import { writeLimit } from '../../../../core/config/write/write-limit.ts';

describe('writeLimit', () => {
  const written: readonly object[] = [
    { requests: 60, per: '1m' },
    { tokens: 90_000, per: '24h', burst: 5 },
    { inputTokens: 1, per: '1500ms', models: ['openai/*'] },
    { outputTokens: 7, per: '90s', enforce: false },
    { cost: 2.5, per: 'month', onStoreFailure: 'deny' },
    { cost: 500, per: 'month', soft: [0.8, 0.95] },
    { cost: 0.000000001, per: 'hour' },
    { concurrent: 8 },
  ];
  for (const limit of written)
    it(`writes ${JSON.stringify(limit)} so that it reads as the same limit`, () => {
      const [read] = readLimits([limit], 'limits');
      const [again] = readLimits([writeLimit(read as NonNullable<typeof read>)], 'limits');
      expect(again).to.deep.equal(read);
    });

  it('uses the largest unit of time that is whole, and leaves out defaults', () => {
    expect(
      readLimits([{ requests: 60, per: '120s', models: [], enforce: true }], 'limits').map(writeLimit),
    ).to.deep.equal([{ requests: 60, per: '2m' }]);
  });
});
