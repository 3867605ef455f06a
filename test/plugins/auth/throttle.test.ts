import { setImmediate as settleCounts } from 'node:timers/promises';
import { expect } from 'chai';
import { GatewayError, type RequestHead } from '../../../core/api/index.ts';
import { createSharedResources } from '../../../core/services/shared-resources.ts';
import { createThrottle } from '../../../plugins/auth/throttle.ts';
import { createTestServices } from '../../../core/testing/index.ts';
import {
  alice,
  createAuth,
  createHead,
  createKnownKeys,
  createRecord,
  now,
  settle,
  type TestAuth,
} from './auth-setup.ts';

const LIMIT = 3;
const failures = { limit: LIMIT, per: '1m', block: '30s' };
const present = (text: string, address = '203.0.113.7'): RequestHead => ({
  ...createHead({ authorization: `Bearer ${text}` }),
  address,
});
const codeOf = (result: unknown): unknown => (GatewayError.is(result) ? result.code : result);

/** Presents keys one after the other. @returns the names of the callers, or the codes of the errors */
const presentAll = async ({ identify }: TestAuth, heads: readonly RequestHead[]): Promise<readonly unknown[]> => {
  const results: unknown[] = [];
  for (const head of heads) {
    results.push(codeOf(await settle(() => identify(head))));
    await settleCounts();
  }
  return results;
};
const wrong = (count: number, address?: string): readonly RequestHead[] =>
  Array.from({ length: count }, (_, index) => present(`wrong-${index}`, address));

describe('an address that presents wrong keys', () => {
  const known = () =>
    createKnownKeys({
      good: createRecord('good'),
      other: createRecord('other'),
      off: createRecord('off', { disabled: true }),
      late: createRecord('late', { expiresAt: now - 1 }),
    });

  it('refuses wrong keys of an address with 401 up to the limit and then with 429', async () => {
    const keys = known();
    const auth = await createAuth(keys, { failures });
    expect(await presentAll(auth, wrong(LIMIT))).to.deep.equal(Array(LIMIT).fill('invalid_api_key'));
    const error = await settle(() => auth.identify(present('another wrong key')));
    expect(error).to.include({ status: 429, code: 'rate_limit_exceeded', retryAfterMs: 30_000 });
    expect(error).to.have.property(
      'message',
      'Rate limit exceeded: too many requests with a wrong key from this address; try again in 30s.',
    );
    expect(await presentAll(auth, [present('wrong-0'), present('off'), present('x'.repeat(600))])).to.deep.equal(
      Array(3).fill('rate_limit_exceeded'),
    );
    expect(auth.failures).to.deep.equal({ unknown: LIMIT, throttled: 4 });
  });

  it('accepts a valid key from a blocked address, even one that it had not used before', async () => {
    const auth = await createAuth(known(), { failures });
    await presentAll(auth, wrong(LIMIT));
    expect(
      await presentAll(auth, [present('good'), present('wrong'), present('other'), present('good')]),
    ).to.deep.equal([alice, 'rate_limit_exceeded', alice, alice]);
  });

  it('runs at most four lookups for a blocked address at a time; further ones wait and are not refused', async () => {
    const answers: (() => void)[] = [];
    const find = ({ text }: { readonly text: string }) =>
      new Promise<ReturnType<typeof createRecord> | undefined>((resolve) =>
        answers.push(() => resolve(text === 'good' ? createRecord('good') : undefined)),
      );
    const auth = await createAuth({ find }, { failures: { ...failures, limit: 1 } });
    const first = settle(() => auth.identify(present('wrong')));
    answers.shift()?.();
    expect(codeOf(await first)).to.equal('invalid_api_key');
    await settleCounts();
    const results = Promise.all([...wrong(8), present('good')].map((head) => settle(() => auth.identify(head))));
    for (const expected of [4, 4, 1]) {
      await settleCounts();
      expect(answers).to.have.length(expected);
      for (const answer of answers.splice(0)) answer();
    }
    expect((await results).map(codeOf)).to.deep.equal([...Array(8).fill('rate_limit_exceeded'), alice]);
  });

  it('blocks an address for wrong keys of any kind, one key repeated or several', async () => {
    for (const heads of [
      [present('off'), present('late'), present('wrong')],
      [present('wrong'), present('wrong'), present('wrong')],
      [present('x'.repeat(513)), present('wrong'), present('off')],
    ]) {
      const auth = await createAuth(known(), { failures });
      await presentAll(auth, heads);
      expect(await presentAll(auth, [present('next')])).to.deep.equal(['rate_limit_exceeded']);
    }
  });

  it('treats a whole /64 of IPv6 as one address', async () => {
    const auth = await createAuth(known(), { failures });
    await presentAll(auth, [
      present('a', '2001:db8:1:2::1'),
      present('b', '2001:db8:1:2::2'),
      present('c', '2001:db8:1:2:3:4:5:6'),
    ]);
    expect(await presentAll(auth, [present('d', '2001:db8:1:2::9'), present('d', '2001:db8:1:3::9')])).to.deep.equal([
      'rate_limit_exceeded',
      'invalid_api_key',
    ]);
  });

  it('does not block an address for the keys of others, for missing keys or for failed lookups', async () => {
    const auth = await createAuth(known(), { failures });
    await presentAll(auth, wrong(LIMIT, '203.0.113.8'));
    await presentAll(
      auth,
      Array.from({ length: 20 }, () => ({ ...createHead({}), address: '203.0.113.7' })),
    );
    expect(await presentAll(auth, [present('good')])).to.deep.equal([alice]);
    expect(auth.failures).to.deep.equal({ unknown: LIMIT, missing: 20 });

    const down = await createAuth({ find: () => Promise.reject(new Error('down')) }, { failures });
    expect(await presentAll(down, Array(20).fill(present('good')))).to.deep.equal(
      Array(20).fill('service_unavailable'),
    );
    expect(down.failures).to.deep.equal({ unavailable: 20 });
  });

  it('refuses wrong keys with 401 again after the block', async () => {
    let time = 0;
    const auth = await createAuth(known(), { failures }, { clock: { now: () => now, monotonic: () => time } });
    await presentAll(auth, wrong(LIMIT));
    time = 29_000;
    const error = await settle(() => auth.identify(present('wrong')));
    expect(GatewayError.is(error) && error.retryAfterMs).to.be.within(1, 1_001);
    time = 30_001;
    expect(await presentAll(auth, [present('wrong'), present('good')])).to.deep.equal(['invalid_api_key', alice]);
  });

  it('counts wrong keys from zero after a block', async () => {
    let time = 0;
    const auth = await createAuth(
      known(),
      { failures: { limit: 2, per: '1s', block: '1s' } },
      { clock: { now: () => now + time, monotonic: () => time } },
    );
    await presentAll(auth, wrong(2));
    time = 2_000;
    expect(await presentAll(auth, [...wrong(1), present('good'), ...wrong(1), present('next')])).to.deep.equal([
      'invalid_api_key',
      alice,
      'invalid_api_key',
      'rate_limit_exceeded',
    ]);
  });

  it('logs a block once, without a key', async () => {
    const auth = await createAuth(known(), { failures });
    await Promise.all(wrong(20).map((head) => settle(() => auth.identify(head))));
    await settleCounts();
    expect(auth.logged).to.deep.equal([
      { address: '203.0.113.7', ms: 30_000 },
      'too many wrong keys from an address; blocking it',
    ]);
  });

  it('never blocks an address with failures: false', async () => {
    const auth = await createAuth(known(), { failures: false });
    expect(await presentAll(auth, [...wrong(50), present('good')])).to.deep.equal([
      ...Array(50).fill('invalid_api_key'),
      alice,
    ]);
  });

  it('blocks an address after 20 wrong keys by default', async () => {
    const auth = await createAuth(known());
    expect(await presentAll(auth, wrong(21))).to.deep.equal([
      ...Array(20).fill('invalid_api_key'),
      'rate_limit_exceeded',
    ]);
  });

  it('keeps blocks across a reload unless the rule changes', async () => {
    const { shared, release } = createSharedResources().createHolder();
    await presentAll(await createAuth(known(), { failures }, { shared }), wrong(LIMIT));
    expect(await presentAll(await createAuth(known(), { failures }, { shared }), [present('next')])).to.deep.equal([
      'rate_limit_exceeded',
    ]);
    expect(
      await presentAll(await createAuth(known(), { failures: { ...failures, limit: 9 } }, { shared }), [
        present('next'),
      ]),
    ).to.deep.equal(['invalid_api_key']);
    await release();
  });

  it('identifies keys from other addresses synchronously while one address is blocked', async () => {
    const auth = await createAuth(known(), { failures });
    await presentAll(auth, wrong(LIMIT));
    for (const address of ['203.0.113.9', '2001:db8::1'])
      expect(auth.identify(present('good', address))).to.equal(alice);
  });
});

describe('a flood of addresses with wrong keys', () => {
  const rule = { limit: 2, perMs: 60_000, blockMs: 60_000 };
  const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

  it('evicts the counts of the addresses whose last failure is oldest, and no others', async () => {
    const throttle = createThrottle(rule, createTestServices());
    for (let index = 0; index <= 10_000; index += 1) throttle.failed(addressOf(index));
    await settleCounts();
    for (const index of [0, 2, 10_000]) throttle.failed(addressOf(index));
    await settleCounts();
    expect([0, 2, 10_000].map((index) => throttle.blockedFor(addressOf(index)) > 0)).to.deep.equal([false, true, true]);
  });

  it('evicts the oldest blocks of addresses', async () => {
    const throttle = createThrottle({ ...rule, limit: 1 }, createTestServices());
    for (let index = 0; index <= 10_000; index += 1) {
      throttle.failed(addressOf(index));
      if (index % 1_000 === 0) await settleCounts();
    }
    await settleCounts();
    expect([0, 1, 10_000].map((index) => throttle.blockedFor(addressOf(index)) > 0)).to.deep.equal([false, true, true]);
  });
});
