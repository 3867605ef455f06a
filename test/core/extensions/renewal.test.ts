import { expect } from 'chai';
import { mock } from 'node:test';
import { redactKnown } from '../../../core/canonical/text/known-secrets.ts';
import { createRenewal, type Renewable, type Renewal } from '../../../core/extensions/renewal.ts';
import { systemClock } from '../../../core/services/clock.ts';

const MINUTE = 60_000;

/** Runs all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const pass = async (ms: number): Promise<void> => {
  mock.timers.tick(ms);
  await settle();
};

const messageOf = async (value: unknown): Promise<string> => {
  try {
    await value;
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('a renewal', () => {
  const lines: string[] = [];
  const write = (fields: object, text: string): void => void lines.push(`${text} ${JSON.stringify(fields)}`);
  const services = { clock: systemClock, log: { info: write, warn: write, error: write } };
  let loads: number;
  let lifeMs: number;
  let failure: Error | undefined;
  let renewal: Renewal<string>;

  const load = (): Promise<Renewable<string>> => {
    loads += 1;
    return failure === undefined
      ? Promise.resolve({ value: `token-${loads}`, endsAt: Date.now() + lifeMs })
      : Promise.reject(failure);
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 });
    lines.length = 0;
    loads = 0;
    lifeMs = 60 * MINUTE;
    failure = undefined;
    renewal = createRenewal(load, services, 'The token');
  });
  afterEach(() => {
    renewal.close();
    mock.timers.reset();
  });

  it('loads nothing before the first caller, once for all callers, and then returns the value itself', async () => {
    expect(loads).to.equal(0);
    expect(await Promise.all([renewal.get(), renewal.get(), renewal.get()])).to.deep.equal(Array(3).fill('token-1'));
    expect(renewal.get()).to.equal('token-1');
    expect(loads).to.equal(1);
  });

  it('redacts a text, or the secrets of another value, from its load on, also one that has ended', async () => {
    const endsAt = Date.now() + lifeMs;
    const value = { id: 'public-part-of-value', key: 'secret-part-of-value' };
    const object = createRenewal(() => Promise.resolve({ value, endsAt, secrets: [value.key] }), services);
    const text = createRenewal(() => Promise.resolve({ value: 'text-that-is-secret', endsAt }), services);
    const ended = createRenewal(() => Promise.resolve({ value: 'text-that-has-ended', endsAt: 0 }), services);
    await Promise.all([object.get(), text.get(), messageOf(ended.get())]);
    for (const each of [object, text, ended]) each.close();
    expect(redactKnown(`${value.id} ${value.key}`)).to.equal('public-part-of-value [redacted]');
    expect(redactKnown('text-that-is-secret, text-that-has-ended')).to.equal('[redacted], [redacted]');
  });

  it('renews a value in the background when 80 % of its life are over', async () => {
    await renewal.get();
    await pass(47 * MINUTE);
    expect(renewal.get()).to.equal('token-1');
    await pass(MINUTE);
    expect(renewal.get()).to.equal('token-2');
    lifeMs = MINUTE;
    await pass(48 * MINUTE);
    expect(renewal.get()).to.equal('token-3');
    await pass(48_000);
    expect(renewal.get()).to.equal('token-4');
  });

  it('keeps the current value while a renewal fails, and loads again after 1 s, 2 s and 4 s', async () => {
    await renewal.get();
    failure = new Error('the service is down');
    await pass(48 * MINUTE);
    for (const seconds of [1, 2, 4]) {
      const before = loads;
      await pass(seconds * 1_000 - 1);
      expect(loads).to.equal(before);
      await pass(1);
      expect(loads).to.equal(before + 1);
    }
    expect(renewal.get()).to.equal('token-1');
    expect(lines[0]).to.equal(
      'The token could not be loaded: the current one stays in use ' +
        '{"failures":1,"retry_ms":1000,"reason":"the service is down"}',
    );
    failure = undefined;
    await pass(8_000);
    expect(renewal.get()).to.equal('token-6');
    expect(lines.at(-1)).to.equal('The token could be loaded again {"failures":4}');
  });

  it('rejects when the value has ended and cannot be renewed, without a load until the next attempt is due', async () => {
    await renewal.get();
    failure = new Error('the service is down');
    await pass(61 * MINUTE);
    const before = loads;
    expect(await messageOf(renewal.get())).to.equal('The token could not be loaded: the service is down');
    expect(await messageOf(renewal.get())).to.include('the service is down');
    expect(loads - before).to.be.at.most(1);
    expect(lines.at(-1)).to.include('calls that need it fail');
    failure = undefined;
    await pass(MINUTE);
    expect(renewal.get()).to.equal(`token-${loads}`);
  });

  it('waits at most a minute between attempts', async () => {
    failure = new Error('the service is down');
    await messageOf(renewal.get());
    for (let minute = 0; minute < 10; minute += 1) await pass(MINUTE);
    const before = loads;
    await pass(MINUTE);
    expect(loads).to.equal(before + 1);
  });

  it('refuses a value that has already ended', async () => {
    lifeMs = 0;
    expect(await messageOf(renewal.get())).to.include('it had already ended when it was loaded');
  });

  it('aborts a load after 30 s, and loads again', async () => {
    let signal: AbortSignal | undefined;
    const stuck = createRenewal<string>(
      (given) => {
        signal = given;
        loads += 1;
        return new Promise(() => {});
      },
      services,
      'The token',
    );
    const value = messageOf(stuck.get());
    await pass(30_000);
    expect(await value).to.equal('The token could not be loaded: there was no result within 30 s');
    expect(signal?.aborted).to.equal(true);
    await pass(1_000);
    expect(loads).to.equal(2);
    stuck.close();
  });

  it('renews early when the vendor refused the value, at most once in 10 seconds', async () => {
    await renewal.get();
    const renewed = Promise.all([renewal.renew(), renewal.renew()]);
    expect(renewal.get()).to.equal('token-1');
    await renewed;
    expect(renewal.get()).to.equal('token-2');
    await pass(9_999);
    await renewal.renew();
    expect(renewal.current).to.equal('token-2');
    await pass(1);
    await renewal.renew();
    expect(renewal.current).to.equal('token-3');
    expect(loads).to.equal(3);
  });

  it('does not renew a value that does not end, and waits for one that ends in a hundred days', async () => {
    const day = 24 * 60 * MINUTE;
    lifeMs = Number.POSITIVE_INFINITY;
    await renewal.get();
    await pass(1_000 * day);
    expect(loads).to.equal(1);
    lifeMs = 100 * day;
    await renewal.renew();
    for (let count = 0; count < 79; count += 1) await pass(day);
    expect(loads).to.equal(2);
    // A day of the controlled clock passes at once, so each of the timers in a row can begin up to a day late.
    for (let count = 0; count < 5; count += 1) await pass(day);
    expect(loads).to.equal(3);
  });

  it('stops when it is closed: a load in progress is aborted, and nothing is logged', async () => {
    let signal: AbortSignal | undefined;
    const closing = createRenewal<string>(
      (given) => {
        signal = given;
        return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      services,
      'The token',
    );
    const value = messageOf(closing.get());
    closing.close();
    expect(await value).to.include('aborted');
    expect(signal?.aborted).to.equal(true);
    await renewal.get();
    renewal.close();
    await pass(100 * MINUTE);
    expect(loads).to.equal(1);
    expect(lines).to.deep.equal([]);
  });
});
