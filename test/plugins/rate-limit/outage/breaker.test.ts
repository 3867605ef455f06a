import { expect } from 'chai';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestServices } from '../../../../core/testing/services.ts';
import { Breaker } from '../../../../plugins/rate-limit/store/breaker.ts';
import type { ReserveRequest, SharedStore } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { deadStore, timedOut } from './outage.ts';
import { createTestClock, type TestClock } from '../setup.ts';

const replyError = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

interface Scene {
  readonly breaker: Breaker;
  /** Reservations that the store does not have. */
  readonly lost: Set<string>;
  readonly clock: TestClock;
  /** The error that the store throws; undefined: it works. */
  failure: { store?: Error | undefined; ping?: Error | undefined };
  readonly calls: string[];
  readonly errors: string[];
  readonly gauge: number[];
  readonly lines: string[];
}

const createScene = (): Scene => {
  const calls: string[] = [];
  const errors: string[] = [];
  const gauge: number[] = [];
  const lines: string[] = [];
  const failure: Scene['failure'] = {};
  const clock = createTestClock();
  const lost = new Set<string>();
  const work = <T>(call: string, answer: T): T => {
    calls.push(call);
    if (failure.store !== undefined) throw failure.store;
    return answer;
  };
  const store: SharedStore = {
    reserve: async ({ tenant, id }) =>
      work(`reserve ${tenant === 'koine' ? 'a trial' : id}`, { admitted: true, states: [] }),
    settle: async (tenant, id, actual) =>
      work(`settle ${tenant === 'koine' ? 'a trial' : id} ${actual.join(',')}`, lost.has(id) ? undefined : []),
    refresh: async (_tenant, ids) => work(`refresh ${ids.join(',')}`, undefined),
    peek: async () => work('peek', []),
    renew: async () => work('renew', undefined),
    debit: async (_tenant, id) => work(`debit ${id}`, undefined),
  };
  const keep = (_fields: object, text: string): void => void lines.push(text);
  const breaker = new Breaker({
    store,
    ping: async () => {
      calls.push('ping');
      if (failure.ping !== undefined) throw failure.ping;
    },
    meters: {
      storeError: (operation, kind) => void errors.push(`${operation} ${kind}`),
      degraded: (now) => void gauge.push(now ? 1 : 0),
    },
    clock,
    known: { noteFault: () => {} },
    log: { info: keep, warn: keep, error: keep },
    probeEvery: 30,
  });
  return { breaker, lost, clock, failure, calls, errors, gauge, lines };
};

const bucket = { key: 'b', kind: 'window', limit: 10, per: 1_000, rate: 10, enforce: true } as const;
const request = (id: string): ReserveRequest => ({
  id,
  tenant: 'acme',
  leaseMs: 1_000,
  charges: [
    { bucket, amount: 1 },
    { bucket: { ...bucket, key: 'c' }, amount: 5 },
  ],
});
const MOST_FAILURES = 5;
const fails = async (asked: unknown): Promise<string> => {
  try {
    await asked;
  } catch (error) {
    return String((error as Error).message);
  }
  throw new Error('it did not fail');
};

/** Makes enough failing reservations in a row to open the breaker. */
const knockOut = async ({ breaker }: Pick<Scene, 'breaker'>): Promise<void> => {
  for (let index = 1; index <= MOST_FAILURES; index += 1) await fails(breaker.reserve(request(`lost-${index}`)));
};

describe('rate-limit: the breaker of the shared store', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = createScene();
  });
  afterEach(() => scene.breaker.close());

  it('the breaker is closed while the store responds, and adds no call', async () => {
    const { breaker, calls, errors, lines } = scene;
    await breaker.connect();
    expect(await breaker.reserve(request('a'))).to.deep.equal({ admitted: true, states: [] });
    expect(await breaker.settle('acme', 'a', [1, 2])).not.to.equal(undefined);
    expect([breaker.open, calls, errors, lines]).to.deep.equal([false, ['ping', 'reserve a', 'settle a 1,2'], [], []]);
  });

  it('the breaker opens on the fifth failure in a row, with one log line and one change of the gauge per outage', async () => {
    const { breaker, failure, errors, gauge, lines } = scene;
    failure.store = timedOut();
    for (let index = 1; index <= 7; index += 1) {
      expect(await fails(breaker.reserve(request(`lost-${index}`)))).to.equal('Command timed out');
      expect(breaker.open, `after ${index}`).to.equal(index >= MOST_FAILURES);
    }
    expect([errors, gauge]).to.deep.equal([Array(7).fill('reserve timeout'), [0, 1]]);
    expect(lines).to.have.length(1);
  });

  for (const good of ['reserve', 'settle', 'probe'] as const) {
    it(`the breaker resets its count of failures when a ${good} succeeds`, async () => {
      const { breaker, failure } = scene;
      const succeed = {
        reserve: () => breaker.reserve(request('good')),
        settle: () => breaker.settle('acme', 'good', [1]),
        probe: () => breaker.probe(),
      };
      for (let times = 0; times < 3; times += 1) {
        failure.store = timedOut();
        for (let index = 1; index < MOST_FAILURES; index += 1)
          await fails(breaker.reserve(request(`lost-${times}-${index}`)));
        failure.store = undefined;
        await succeed[good]();
      }
      expect(breaker.open).to.equal(false);
    });
  }

  it('releases a reservation that timed out, even while it is closed', async () => {
    const { breaker, failure, calls } = scene;
    failure.store = timedOut();
    await fails(breaker.reserve(request('ghost')));
    failure.store = undefined;
    await breaker.probe();
    expect([breaker.open, calls.includes('settle ghost 0,0')]).to.deep.equal([false, true]);
  });

  it('the breaker counts failed probes, so that it opens without waiting requests', async () => {
    const { breaker, failure } = scene;
    failure.store = timedOut();
    await fails(breaker.reserve(request('a')));
    for (let times = 1; times < MOST_FAILURES; times += 1) await breaker.probe();
    expect(breaker.open).to.equal(true);
  });

  for (const [kind, error] of [
    ['timeout', timedOut()],
    ['down', new Error('the connection to 10.0.0.1 timed out')],
    ['down', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    ['down', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['script', replyError('OOM command not allowed when used memory > maxmemory')],
  ] as const) {
    it(`the breaker counts a failure by its kind: ${error.message}`, async () => {
      scene.failure.store = error;
      await fails(scene.breaker.peek('acme', []));
      expect(scene.errors).to.deep.equal([`peek ${kind}`]);
    });
  }

  it('the breaker never rejects a settlement', async () => {
    scene.failure.store = new Error('Connection is closed.');
    for (let times = 0; times < MOST_FAILURES; times += 1)
      expect(await scene.breaker.settle('acme', 'a', [1, 2])).to.equal(undefined);
    expect(scene.breaker.open).to.equal(true);
  });

  it('the breaker queues settlements while it is open, and does not call the store', async () => {
    const { breaker, failure, calls } = scene;
    failure.store = new Error('Connection is closed.');
    await knockOut(scene);
    calls.length = 0;
    await breaker.settle('acme', 'a', [1, 2]);
    await fails(breaker.refresh('acme', ['c'], 1_000));
    expect(calls).to.deep.equal([]);
  });

  it('does not count a settlement that timed out as a failure, and sends it again', async () => {
    const { breaker, failure, calls, errors, lines } = scene;
    failure.store = timedOut();
    expect(await breaker.settle('acme', 'a', [1, 2])).to.equal(undefined);
    expect([breaker.open, errors, lines]).to.deep.equal([false, ['settle timeout'], []]);
    failure.store = undefined;
    calls.length = 0;
    await breaker.probe();
    expect(calls).to.include('settle a 1,2');
    expect([breaker.open, lines]).to.deep.equal([false, []]);
  });

  it('sends pending settlements before new reservations, with those of reservations that timed out', async () => {
    const { breaker, failure, calls, gauge, lines } = scene;
    failure.store = timedOut();
    await knockOut(scene);
    await breaker.settle('acme', 'a', [1, 2]);
    failure.store = undefined;
    calls.length = 0;
    const probing = breaker.probe();
    expect(breaker.open).to.equal(true);
    await probing;
    expect(breaker.open).to.equal(false);
    const ghosts = Array.from({ length: MOST_FAILURES }, (_, index) => `settle lost-${index + 1} 0,0`);
    expect(calls).to.deep.equal(['ping', 'reserve a trial', 'settle a trial 0', ...ghosts, 'settle a 1,2']);
    expect(gauge).to.deep.equal([0, 1, 0]);
    expect(lines).to.have.length(2);
    calls.length = 0;
    await breaker.probe();
    expect(calls).to.not.include('settle a 1,2');
  });

  it('sends what an exchange has used after its row, and before its last byte', async () => {
    const { breaker, calls } = scene;
    const debits = { budgets: [], endedAt: 0, leaseMs: 1_000 };
    const other = breaker.settle('acme', 'without a row', [1]);
    setImmediate(() => calls.push('row'));
    const sent = [breaker.settle('acme', 'a', [1]), breaker.debit('acme', 'b', debits)];
    setImmediate(() => calls.push('last byte'));
    await Promise.all([other, ...sent]);
    await nextTurn();
    expect(calls).to.deep.equal(['settle without a row 1', 'row', 'settle a 1', 'debit b', 'last byte']);
  });

  it('sends a settlement that comes in the last moment of an outage', async () => {
    for (let moments = 0; moments < 20; moments += 1) {
      const { breaker, failure, calls } = createScene();
      failure.store = timedOut();
      await breaker.settle('acme', 'a', [1]);
      failure.store = undefined;
      const probing = breaker.probe();
      while (!calls.includes('settle a trial 0')) await Promise.resolve();
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      await breaker.settle('acme', 'late', [2]);
      await probing;
      expect(calls, `after ${moments} moments`).to.include('settle late 2');
      breaker.close();
    }
  });

  it('the breaker gives back a reservation whose reply was lost', async () => {
    const local = new MemoryStore(createTestClock());
    let frozen = true;
    const unheard = new Breaker({
      store: {
        ...deadStore,
        settle: async (tenant, id, actual) => local.settle(tenant, id, actual),
        reserve: async (asked) => {
          const decision = local.reserve(asked);
          if (frozen) throw timedOut();
          return decision;
        },
      },
      ping: async () => {},
      meters: { storeError: () => {}, degraded: () => {} },
      clock: createTestClock(),
      known: { noteFault: () => {} },
      log: createTestServices().log,
    });
    const left = (): number | undefined => local.peek('acme', [{ bucket, amount: 0 }])[0]?.remaining;
    await fails(unheard.reserve(request('ghost')));
    expect(left()).to.equal(9);
    frozen = false;
    await unheard.probe();
    unheard.close();
    expect(left()).to.equal(10);
  });

  it('the breaker queues what this host has admitted alone, beside the reservation with the same id that was lost', async () => {
    const { breaker, failure, calls } = scene;
    failure.store = timedOut();
    await knockOut(scene);
    await breaker.debit('acme', 'lost-1', {
      budgets: [{ key: 'c', start: 1, end: 2, amount: 3 }],
      endedAt: 1,
      leaseMs: 1_000,
    });
    failure.store = undefined;
    calls.length = 0;
    await breaker.probe();
    expect(calls).to.include.members(['settle lost-1 0,0', 'debit lost-1']);
  });

  it('the breaker knows how long the last fault of the store is over: an outage, a broken connection, a lost reservation', async () => {
    const { breaker, clock, failure } = scene;
    expect(breaker.sinceFaultMs).to.equal(undefined);
    failure.store = timedOut();
    await fails(breaker.reserve(request('late')));
    failure.store = undefined;
    await breaker.probe();
    expect(breaker.sinceFaultMs, 'a late response is none').to.equal(undefined);
    failure.store = new Error('Connection is closed.');
    await fails(breaker.reserve(request('broken')));
    failure.store = undefined;
    await breaker.probe();
    clock.advance(5_000);
    expect(breaker.sinceFaultMs).to.equal(5_000);
    failure.store = timedOut();
    await knockOut(scene);
    failure.store = undefined;
    await breaker.probe();
    expect(breaker.sinceFaultMs).to.equal(0);
    clock.advance(5_000);
    scene.lost.add('gone');
    await breaker.settle('acme', 'gone', [1]);
    expect(breaker.sinceFaultMs).to.equal(0);
  });

  it('the breaker stays open while pings fail', async () => {
    const { breaker, failure, errors } = scene;
    failure.store = failure.ping = timedOut();
    await knockOut(scene);
    await breaker.probe();
    expect([breaker.open, errors]).to.deep.equal([
      true,
      [...Array<string>(MOST_FAILURES).fill('reserve timeout'), 'probe timeout'],
    ]);
  });

  it('the breaker stays open while the store responds to pings but takes no writes', async () => {
    const { breaker, failure } = scene;
    failure.store = replyError("READONLY You can't write against a read only replica.");
    await knockOut(scene);
    await breaker.probe();
    expect(breaker.open).to.equal(true);
  });

  it('the breaker keeps unsent settlements for the next probe', async () => {
    const { breaker, failure, calls } = scene;
    failure.store = timedOut();
    await breaker.settle('acme', 'a', [1, 2]);
    await breaker.probe();
    failure.store = undefined;
    await breaker.probe();
    expect(calls.filter((call) => call.startsWith('settle a 1'))).to.have.length(2);
  });

  it('the breaker probes on a timer until the store responds', async () => {
    const { breaker, failure, errors } = scene;
    const until = async (isTime: () => boolean): Promise<void> => {
      for (let waited = 0; !isTime() && waited < 5_000; waited += 5)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    failure.store = timedOut();
    await knockOut(scene);
    await until(() => errors.filter((error) => error === 'probe timeout').length === 3);
    expect(breaker.open).to.equal(true);
    failure.store = undefined;
    await until(() => !breaker.open);
    expect(breaker.open).to.equal(false);
  });

  it('the breaker starts open if the store is not available', async () => {
    scene.failure.ping = new Error('connect ECONNREFUSED');
    await scene.breaker.connect();
    expect([scene.breaker.open, scene.errors, scene.lines.length]).to.deep.equal([true, ['probe down'], 1]);
  });

  it('the breaker waits a short time at startup for the store', async () => {
    scene.failure.ping = new Error('connecting');
    const connecting = scene.breaker.connect();
    scene.failure.ping = undefined;
    await connecting;
    expect([scene.breaker.open, scene.errors]).to.deep.equal([false, []]);
  });
});
