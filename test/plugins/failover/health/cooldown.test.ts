import { expect } from 'chai';
import { readRetryAfter } from '../../../../core/dispatch/upstream-error.ts';
import { alice, createFixture, failure, twoByTwo } from '../setup.ts';

/** The cooldown of a credential after a 429 with these headers. */
const cooldowns: readonly (readonly [headers: Readonly<Record<string, string>>, milliseconds: number])[] = [
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', 'date': 'Sat, 21 Nov 2026 10:00:00 GMT' }, 7_000],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after': '1000000000' }, 60_000],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': 'soon' }, 10_000],
  [{}, 10_000],
];

describe('the cooldown of a credential', () => {
  const fixture = () => createFixture({ budget: { free: 0 } });
  const cooldownOf = (one: ReturnType<typeof fixture>): number => {
    const [target] = twoByTwo;
    return target === undefined
      ? -1
      : Math.max(0, one.registry.health(target, 'key-1').readyAt(alice, one.clock.monotonic()) - one.clock.monotonic());
  };

  for (const [headers, milliseconds] of cooldowns) {
    it(`a credential cools down for ${milliseconds} ms after ${JSON.stringify(headers)}`, async () => {
      const one = fixture();
      const retryAfterMs = readRetryAfter(headers);
      one.answers = { 'one/a key-1': [failure('rate-limit', retryAfterMs === undefined ? {} : { retryAfterMs })] };
      expect(await one.trace()).to.deep.equal(['one/a key-1', 'one/a key-2']);
      expect(cooldownOf(one)).to.equal(milliseconds);
    });
  }

  it('a credential cools down until the later end of two refusals', async () => {
    const one = fixture();
    const [target] = twoByTwo;
    if (target === undefined) return;
    const health = one.registry.health(target, 'key-1');
    const fail = (milliseconds: number): void =>
      one.recorder.failed(health, failure('rate-limit', { retryAfterMs: milliseconds }), one.attemptEnd());
    fail(5_000);
    one.clock.advance(1_000);
    fail(20_000);
    expect(cooldownOf(one)).to.equal(20_000);
    fail(2_000);
    expect(cooldownOf(one)).to.equal(20_000);
    expect(one.cooldowns.map(({ milliseconds }) => milliseconds)).to.deep.equal([5_000, 20_000]);
  });

  it('one credential cools down alone: the other credentials and targets serve', async () => {
    const one = fixture();
    one.answers = { 'one/a key-1': [failure('rate-limit')] };
    await one.run();
    for (let index = 0; index < 5; index += 1) expect(await one.trace()).to.deep.equal(['one/a key-2']);
    one.clock.advance(10_000);
    one.answers = {};
    expect(await one.trace()).to.deep.equal(['one/a key-1']);
  });

  it('a credential cools down for a long time when its quota is spent', async () => {
    const one = createFixture({ cooldown: { quota: '3m' } });
    one.answers = { 'one/a key-1': [failure('quota')] };
    await one.run();
    expect(cooldownOf(one)).to.equal(180_000);
  });

  it('a credential cools down for the retry-after of an overloaded vendor, and not without one', async () => {
    const one = createFixture({ retries: 0 });
    one.answers = { 'one/a key-1': [failure('overloaded', { retryAfterMs: 30_000 }), failure('overloaded')] };
    expect(await one.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
    expect(cooldownOf(one)).to.equal(30_000);
    expect(await one.trace()).to.deep.equal(['one/a key-2']);
  });
});
