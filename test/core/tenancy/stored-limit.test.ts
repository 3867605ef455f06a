import { expect } from 'chai';
import { readLimits } from '../../../core/config/validate/read-limits.ts';
import { isLimit } from '../../../core/tenancy/stored-limit.ts';

describe('isLimit', () => {
  const whole = {
    unit: 'tokens',
    amount: 100,
    per: 60_000,
    burst: 10,
    models: ['openai/*'],
    enforce: true,
    onStoreFailure: 'local',
  };

  it('accepts every limit that the gateway writes', () => {
    const written = readLimits(
      [
        { requests: 1, per: '1s' },
        { inputTokens: 5, per: '31d', burst: 1 },
        { cost: 0.5, per: 'week', soft: [0.8] },
        { concurrent: 3, enforce: false },
        { requests: 5, per: '1m', each: 'user' },
        { requests: 5, per: '1m', each: 'tag:team' },
      ],
      'limits',
    );
    const kept: unknown = JSON.parse(JSON.stringify([...written, whole]));
    expect(Array.isArray(kept) && kept.every(isLimit)).to.equal(true);
  });

  const damaged: Readonly<Record<string, object>> = {
    'another unit': { ...whole, unit: 'answers' },
    'the name of a method for a unit': { ...whole, unit: 'constructor' },
    'no amount': { ...whole, amount: undefined },
    'an amount of nothing': { ...whole, amount: 0 },
    'an amount in text': { ...whole, amount: '100' },
    'half an amount': { ...whole, amount: 0.5 },
    'an amount beyond counting': { ...whole, amount: 2 ** 53 },
    'no window': { ...whole, per: undefined },
    'a window in text': { ...whole, per: '1m' },
    'a window of nothing': { ...whole, per: 0 },
    'a window too long': { ...whole, per: 32 * 86_400_000 },
    'a calendar window of tokens': { ...whole, per: 'day' },
    'a sliding window of money': { ...whole, unit: 'cost', burst: undefined },
    'a bucket of money': { ...whole, unit: 'cost', per: 'day' },
    'shares of tokens': { ...whole, soft: [0.8] },
    'a share of more than all': { ...whole, unit: 'cost', per: 'day', burst: undefined, soft: [80] },
    'a window of concurrency': { unit: 'concurrent', amount: 3, per: 60_000, models: [], enforce: true },
    'an empty bucket': { ...whole, burst: 0 },
    'no models': { ...whole, models: undefined },
    'models in text': { ...whole, models: 'openai/*' },
    'a model without a name': { ...whole, models: [''] },
    'no word on whether it holds': { ...whole, enforce: undefined },
    'a number for whether it holds': { ...whole, enforce: 0 },
    'another policy': { ...whole, onStoreFailure: 'open' },
    'a count for each of something else': { ...whole, each: 'key' },
    'a count for each tag without a name': { ...whole, each: 'tag:' },
    'an unknown member': { ...whole, enforced: false },
  };
  for (const [name, value] of Object.entries(damaged))
    it(`refuses a stored limit with ${name}`, () => expect(isLimit(value)).to.equal(false));

  it('refuses a stored limit that is not an object', () => {
    for (const value of [null, undefined, [], 'requests', 60, true])
      expect(isLimit(value), String(value)).to.equal(false);
  });
});
