import { expect } from 'chai';
import { createKeyCache, type KeyCacheOptions } from '../../../core/tenancy/key-cache.ts';
import { createStillClock } from './tenancy-setup.ts';

type Answer = string | undefined | Error;

describe('a memory of keys', () => {
  let clock: ReturnType<typeof createStillClock>;
  let asked: string[];
  let told: string[];
  /** What the source would say; an Error is thrown. */
  let answer: (question: string) => Answer | Promise<Answer>;
  beforeEach(() => {
    clock = createStillClock();
    asked = [];
    told = [];
    answer = (question) => `record of ${question}`;
  });

  const create = (more: Partial<KeyCacheOptions<string, string>> = {}) => {
    const tell = (_fields: object, text: string): void => {
      told.push(text);
    };
    const find = async (question: string): Promise<string | undefined> => {
      asked.push(question);
      const given = await answer(question);
      if (given instanceof Error) throw given;
      return given;
    };
    return createKeyCache<string, string>({
      find,
      clock,
      log: { warn: tell, info: tell },
      freshMs: 100,
      graceMs: 1_000,
      describe: 'The keys of the service',
      ...more,
    });
  };
  const fail = (): Error => new Error('down');
  const failureOf = async (found: unknown): Promise<unknown> => {
    try {
      await found;
    } catch (error) {
      return error;
    }
    throw new Error('nothing was thrown');
  };

  it('answers at once while the source was asked lately, whether there is such a key or not', async () => {
    const cache = create();
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    answer = () => undefined;
    expect(await cache.find('b', 'bob')).to.equal(undefined);
    clock.pass(99);
    expect([cache.find('a', 'alice'), cache.find('b', 'bob')]).to.deep.equal(['record of alice', undefined]);
    clock.pass(1);
    expect(cache.find('a', 'alice')).to.be.instanceOf(Promise);
    expect(cache.find('b', 'bob')).to.be.instanceOf(Promise);
  });

  it('asks a source that answers without a promise, or throws without one, all the same', async () => {
    const cache = create({
      find: (question) => {
        asked.push(question);
        if (question === 'bob') throw fail();
        return 'at once';
      },
    });
    expect(await cache.find('a', 'alice')).to.equal('at once');
    for (const _turn of [1, 2]) expect(await failureOf(cache.find('b', 'bob'))).to.have.property('message', 'down');
    expect(asked).to.deep.equal(['alice', 'bob', 'bob']);
  });

  it('asks nothing of a key that is not possible', () => {
    const cache = create({ isPossible: (question) => question.startsWith('key-') });
    expect(cache.find('a', 'alice')).to.equal(undefined);
    expect(cache.find('b', 'key-b')).to.be.instanceOf(Promise);
    expect(asked).to.deep.equal(['key-b']);
  });

  it('asks once for callers who come together, and again for those who come after a failure', async () => {
    const cache = create();
    answer = fail;
    const together = [cache.find('a', 'alice'), cache.find('a', 'alice'), cache.find('a', 'alice')];
    for (const found of together) expect(await failureOf(found)).to.have.property('message', 'down');
    expect(asked).to.have.length(1);
    answer = () => 'back';
    expect(await cache.find('a', 'alice')).to.equal('back');
  });

  it('lets a key go on while the source fails, for the time of grace since it was last confirmed', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    answer = fail;
    clock.pass(999);
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    clock.pass(99);
    expect(cache.find('a', 'alice'), 'fresh by the failure').to.equal('record of alice');
    clock.pass(1);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('lets no key go on where there is no grace', async () => {
    const cache = create({ graceMs: 0 });
    await cache.find('a', 'alice');
    answer = fail;
    clock.pass(100);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('does not wait again and again for a source that fails slowly', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    clock.pass(100);
    answer = async () => {
      clock.pass(500);
      return fail();
    };
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    clock.pass(99);
    expect(cache.find('a', 'alice')).to.equal('record of alice');
    expect(asked).to.have.length(2);
  });

  it('counts the grace to the failure, not to the question', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    clock.pass(600);
    answer = async () => {
      clock.pass(400);
      return fail();
    };
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('brings no key back that the source denied before it failed', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    answer = () => undefined;
    clock.pass(100);
    expect(await cache.find('a', 'alice')).to.equal(undefined);
    answer = fail;
    clock.pass(100);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('goes on with what was last said, not with what was said first', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    answer = () => 'revoked';
    clock.pass(100);
    await cache.find('a', 'alice');
    answer = fail;
    clock.pass(100);
    expect(await cache.find('a', 'alice')).to.equal('revoked');
  });

  it('tells once that the source fails, and once that it answers', async () => {
    const cache = create();
    answer = fail;
    for (const id of ['a', 'b', 'c']) await failureOf(cache.find(id, id));
    answer = () => undefined;
    for (const id of ['d', 'e']) await cache.find(id, id);
    expect(told).to.deep.equal([
      'The keys of the service cannot be read; configured keys and keys seen lately go on.',
      'The keys of the service can be read again.',
    ]);
  });

  it('forgets the key asked for longest ago when it is full, and no good one for wrong ones', async () => {
    const cache = create({ capacity: 2 });
    await cache.find('good', 'good');
    answer = () => undefined;
    for (const id of ['w1', 'w2', 'w3']) await cache.find(id, id);
    expect(cache.find('good', 'good')).to.equal('record of good');
    expect(cache.find('w3', 'w3')).to.equal(undefined);
    expect(cache.find('w1', 'w1')).to.be.instanceOf(Promise);
  });
});
