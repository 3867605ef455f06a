import { expect } from 'chai';
import { createKeyCache, type KeyCacheOptions } from '../../../core/tenancy/key-cache.ts';
import { createManualClock } from './tenancy-setup.ts';

type Result = string | undefined | Error;

describe('createKeyCache', () => {
  let clock: ReturnType<typeof createManualClock>;
  let queries: string[];
  let logged: string[];
  /** The response of the source. An Error is thrown. */
  let respond: (query: string) => Result | Promise<Result>;
  beforeEach(() => {
    clock = createManualClock();
    queries = [];
    logged = [];
    respond = (query) => `record of ${query}`;
  });

  const create = (more: Partial<KeyCacheOptions<string, string>> = {}) => {
    const record = (_fields: object, text: string): void => {
      logged.push(text);
    };
    const find = async (query: string): Promise<string | undefined> => {
      queries.push(query);
      const given = await respond(query);
      if (given instanceof Error) throw given;
      return given;
    };
    return createKeyCache<string, string>({
      find,
      clock,
      log: { warn: record, info: record },
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

  it('returns a fresh result synchronously, whether the key exists or not', async () => {
    const cache = create();
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    respond = () => undefined;
    expect(await cache.find('b', 'bob')).to.equal(undefined);
    clock.pass(99);
    expect([cache.find('a', 'alice'), cache.find('b', 'bob')]).to.deep.equal(['record of alice', undefined]);
    clock.pass(1);
    expect(cache.find('a', 'alice')).to.be.instanceOf(Promise);
    expect(cache.find('b', 'bob')).to.be.instanceOf(Promise);
  });

  it('supports a source that returns or throws synchronously', async () => {
    const cache = create({
      find: (query) => {
        queries.push(query);
        if (query === 'bob') throw fail();
        return 'at once';
      },
    });
    expect(await cache.find('a', 'alice')).to.equal('at once');
    for (const _turn of [1, 2]) expect(await failureOf(cache.find('b', 'bob'))).to.have.property('message', 'down');
    expect(queries).to.deep.equal(['alice', 'bob', 'bob']);
  });

  it('does not query the source for impossible keys', () => {
    const cache = create({ isPossible: (query) => query.startsWith('key-') });
    expect(cache.find('a', 'alice')).to.equal(undefined);
    expect(cache.find('b', 'key-b')).to.be.instanceOf(Promise);
    expect(queries).to.deep.equal(['key-b']);
  });

  it('shares one query between concurrent lookups, and queries again after a failure', async () => {
    const cache = create();
    respond = fail;
    const concurrent = [cache.find('a', 'alice'), cache.find('a', 'alice'), cache.find('a', 'alice')];
    for (const found of concurrent) expect(await failureOf(found)).to.have.property('message', 'down');
    expect(queries).to.have.length(1);
    respond = () => 'back';
    expect(await cache.find('a', 'alice')).to.equal('back');
  });

  it('keeps a key valid while the source fails, for the grace period since its last confirmation', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    respond = fail;
    clock.pass(999);
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    clock.pass(99);
    expect(cache.find('a', 'alice'), 'fresh by the failure').to.equal('record of alice');
    clock.pass(1);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('does not keep a key valid without a grace period', async () => {
    const cache = create({ graceMs: 0 });
    await cache.find('a', 'alice');
    respond = fail;
    clock.pass(100);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('does not wait for a slowly failing source on every lookup', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    clock.pass(100);
    respond = async () => {
      clock.pass(500);
      return fail();
    };
    expect(await cache.find('a', 'alice')).to.equal('record of alice');
    clock.pass(99);
    expect(cache.find('a', 'alice')).to.equal('record of alice');
    expect(queries).to.have.length(2);
  });

  it('measures the grace period up to the failure, not up to the query', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    clock.pass(600);
    respond = async () => {
      clock.pass(400);
      return fail();
    };
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('does not restore a key that the source reported as unknown before it failed', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    respond = () => undefined;
    clock.pass(100);
    expect(await cache.find('a', 'alice')).to.equal(undefined);
    respond = fail;
    clock.pass(100);
    expect(await failureOf(cache.find('a', 'alice'))).to.have.property('message', 'down');
  });

  it('keeps the latest result of a key, not the first, while the source fails', async () => {
    const cache = create();
    await cache.find('a', 'alice');
    respond = () => 'revoked';
    clock.pass(100);
    await cache.find('a', 'alice');
    respond = fail;
    clock.pass(100);
    expect(await cache.find('a', 'alice')).to.equal('revoked');
  });

  it('logs once that the source fails, and once that it works again', async () => {
    const cache = create();
    respond = fail;
    for (const id of ['a', 'b', 'c']) await failureOf(cache.find(id, id));
    respond = () => undefined;
    for (const id of ['d', 'e']) await cache.find(id, id);
    expect(logged).to.deep.equal([
      'The keys of the service cannot be read. Keys of the configuration and recently confirmed keys still work.',
      'The keys of the service can be read again.',
    ]);
  });

  it('evicts the least recently queried unknown key when full, and no valid key', async () => {
    const cache = create({ capacity: 2 });
    await cache.find('good', 'good');
    respond = () => undefined;
    for (const id of ['w1', 'w2', 'w3']) await cache.find(id, id);
    expect(cache.find('good', 'good')).to.equal('record of good');
    expect(cache.find('w3', 'w3')).to.equal(undefined);
    expect(cache.find('w1', 'w1')).to.be.instanceOf(Promise);
  });
});
