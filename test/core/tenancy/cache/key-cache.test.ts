import { expect } from 'chai';
import { createKeyCache, type KeyCacheOptions } from '../../../../core/tenancy/cache/key-cache.ts';
import { createManualClock } from '../tenancy-setup.ts';

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

  describe('with changes', () => {
    let changes: string[][];
    let reads: number;
    let isDown: boolean;
    beforeEach(() => {
      changes = [];
      reads = 0;
      isDown = false;
    });
    const readChanges = async (after?: number) => {
      reads += 1;
      if (isDown) throw fail();
      const position = changes.length;
      return after === undefined ? { position } : { position, ids: changes.slice(after).flat() };
    };
    /** A cache that has read where the changes begin, and then these keys. */
    const createKnowing = async (...ids: readonly string[]) => {
      const cache = create({ readChanges });
      await cache.find('first', 'first');
      clock.pass(1);
      for (const id of ids) await cache.find(id, id);
      [queries, reads] = [[], 0];
      return cache;
    };

    it('uses a known key until it changes: one query confirms all of them, before a caller waits for it', async () => {
      const ids = Array.from({ length: 50 }, (_, index) => `k${index}`);
      const cache = await createKnowing(...ids);
      for (let turn = 0; turn < 20; turn += 1) {
        clock.pass(50);
        for (const id of ids) expect(cache.find(id, id)).to.equal(`record of ${id}`);
        await Promise.resolve();
        await Promise.resolve();
      }
      expect(queries).to.deep.equal([]);
      expect(reads).to.be.within(15, 20);
    });

    it('waits for one query of all after a pause', async () => {
      const cache = await createKnowing('a', 'b');
      clock.pass(10_000);
      const found = [cache.find('a', 'a'), cache.find('b', 'b')];
      expect(found.every((each) => each instanceof Promise)).to.equal(true);
      expect(await Promise.all(found)).to.deep.equal(['record of a', 'record of b']);
      expect(cache.find('a', 'a')).to.equal('record of a');
      expect([queries, reads]).to.deep.equal([[], 1]);
    });

    it('queries a changed key again, and no other', async () => {
      const cache = await createKnowing('a', 'b');
      changes.push(['a']);
      respond = () => 'changed';
      clock.pass(100);
      expect(await Promise.all([cache.find('a', 'a'), cache.find('b', 'b')])).to.deep.equal(['changed', 'record of b']);
      expect(queries).to.deep.equal(['a']);
    });

    it('does not keep the response of a query during which the key has changed', async () => {
      const cache = await createKnowing('a', 'b');
      changes.push(['a']);
      clock.pass(100);
      await cache.find('b', 'b');
      let answer = (_found: string): void => {};
      respond = () => new Promise((resolve) => (answer = resolve));
      const before = cache.find('a', 'a');
      changes.push(['a']);
      clock.pass(100);
      await cache.find('b', 'b');
      answer('older');
      expect(await before).to.equal('older');
      respond = () => 'newer';
      expect(await cache.find('a', 'a')).to.equal('newer');
      expect(queries).to.deep.equal(['a', 'a']);
    });

    it('queries each key again by its age when changes are missed', async () => {
      const cache = await createKnowing('a', 'b');
      const missing = create({ readChanges: async () => ({ position: 5 }) });
      for (let turn = 0; turn < 3; turn += 1) {
        await missing.find('a', 'a');
        clock.pass(100);
      }
      expect(queries).to.deep.equal(['a', 'a', 'a']);
      expect(await cache.find('b', 'b')).to.equal('record of b');
    });

    it('known keys stay valid while the source fails, from the last confirmation on, with one query a time', async () => {
      const cache = await createKnowing('a', 'b');
      clock.pass(5_000);
      await cache.find('a', 'a');
      isDown = true;
      respond = fail;
      reads = 0;
      clock.pass(999);
      expect(await Promise.all([cache.find('a', 'a'), cache.find('b', 'b')])).to.deep.equal([
        'record of a',
        'record of b',
      ]);
      expect([queries, reads]).to.deep.equal([[], 1]);
      clock.pass(100);
      expect(await failureOf(cache.find('a', 'a'))).to.have.property('message', 'down');
      expect(await failureOf(cache.find('c', 'c'))).to.have.property('message', 'down');
      expect(logged).to.deep.equal([
        'The keys of the service cannot be read. Keys of the configuration and recently confirmed keys still work.',
      ]);
    });

    it('queries each known key once after an outage, and counts its grace from before it', async () => {
      const cache = await createKnowing('a');
      clock.pass(5_000);
      await cache.find('a', 'a');
      isDown = true;
      clock.pass(500);
      await cache.find('a', 'a');
      isDown = false;
      clock.pass(100);
      respond = fail;
      expect(await cache.find('a', 'a'), 'known since before the outage').to.equal('record of a');
      respond = () => 'new';
      for (const expected of ['new', 'new', 'new']) {
        clock.pass(100);
        expect(await cache.find('a', 'a')).to.equal(expected);
      }
      expect(queries).to.deep.equal(['a', 'a']);
    });
  });
});
