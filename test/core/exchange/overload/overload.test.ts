import { expect } from 'chai';
import { createOverload, type KeyHold, type Overload } from '../../../../core/exchange/overload/overload.ts';
import { readJsonLayout, type JsonLayout } from '../../../../core/framing/json-layout.ts';
import { createMetrics } from '../../../../core/services/metrics/metrics.ts';
import { createLoadMemory, HostLoad } from '../../../../core/services/shared-memory/host-load.ts';
import { GatewayError } from '../../../../core/api/index.ts';
import { createTestLog } from '../../../../core/testing/index.ts';

describe('overload protection', () => {
  const limits = { inFlight: 2, lag: 500, memory: 4_000, steps: 1_000_000, uploads: 20, disk: 10_000, perKey: 0.9 };
  const none = {
    in_flight: 0,
    lag: 0,
    memory: 0,
    steps: 0,
    uploads: 0,
    disk: 0,
    key_in_flight: 0,
    key_memory: 0,
    key_steps: 0,
    key_uploads: 0,
    key_disk: 0,
    connections: 0,
    connections_per_address: 0,
  };
  const start = (given: Partial<typeof limits> = {}) => {
    const log = createTestLog();
    const metrics = createMetrics();
    const clock = { now: 0 };
    const overload = createOverload({ ...limits, ...given }, log, metrics, () => clock.now);
    const enter = (): true | GatewayError => {
      try {
        return overload.enter();
      } catch (thrown) {
        if (GatewayError.is(thrown)) return thrown;
        throw thrown;
      }
    };
    const shed = async (): Promise<object> => {
      const values = (await metrics.snapshot()).find(({ name }) => name === 'koine_shed_total')?.series ?? [];
      return Object.fromEntries(values.map(({ labels, figures }) => [labels['reason'], figures[0]]));
    };
    return { log, clock, overload, enter, shed };
  };

  it('refuses exchanges above inFlight until one has ended', async () => {
    const { overload, enter, shed } = start();
    overload.enter();
    overload.enter();
    expect(enter()).to.include({ code: 'overloaded', status: 503, publicRetrySeconds: 1 });
    overload.leave();
    expect(enter()).to.equal(true);
    expect(enter()).to.include({ code: 'overloaded' });
    expect(await shed()).to.deep.equal({ ...none, in_flight: 2 });
  });

  it('counts the exchanges of all threads, and of a key in all of them', () => {
    const memory = createLoadMemory(2);
    const threads = [0, 1].map((thread) => new HostLoad(memory, thread));
    const [one, other] = threads.map((load) =>
      createOverload({ ...limits, inFlight: 20 }, createTestLog(), createMetrics(), () => 0, load),
    );
    const open = ({ enter, hold }: Overload, key: string): KeyHold => {
      enter();
      return hold({ organization: 'acme', project: 'web', key, models: ['*'] });
    };
    // A key that calls alone leaves one of twenty, wherever its requests are.
    for (let count = 0; count < 19; count += 1) open(count % 2 === 0 ? one! : other!, 'alice');
    expect(() => open(one!, 'alice'))
      .to.throw(GatewayError)
      .with.property('code', 'rate_limit_exceeded');
    one!.leave();
    open(other!, 'bob');
    expect(() => one!.enter())
      .to.throw(GatewayError)
      .with.property('code', 'overloaded');
    threads[1]!.clear();
    for (let count = 0; count < 10; count += 1) one!.enter();
    expect(() => one!.enter())
      .to.throw(GatewayError)
      .with.property('code', 'overloaded');
  });

  it('refuses exchanges after two late measurements of the event loop in a row, until one is in time', async () => {
    const { overload, enter, shed } = start();
    const passes = (): boolean => {
      const entered = enter();
      if (entered === true) overload.leave();
      return entered === true;
    };
    const after = (ms: number): boolean => {
      overload.observeLag(ms);
      return passes();
    };
    expect([
      after(900),
      after(0),
      after(501),
      after(500),
      after(501),
      after(501),
      after(9_000),
      after(499),
      after(501),
    ]).to.deep.equal([true, true, true, true, true, false, false, true, true]);
    expect(await shed()).to.deep.equal({ ...none, lag: 2 });
  });

  it('counts refused connections as overload', async () => {
    const { overload, shed } = start();
    overload.refuseConnection('connections');
    overload.refuseConnection('connections_per_address');
    expect(await shed()).to.deep.equal({ ...none, connections: 1, connections_per_address: 1 });
  });

  it('logs an overload, but not for every request', () => {
    const { overload, enter, log, clock } = start();
    overload.enter();
    overload.enter();
    for (clock.now = 0; clock.now < 9_000; clock.now += 10) enter();
    overload.observeLag(249);
    overload.observeLag(251);
    expect(log.lines).to.deep.equal([
      { level: 'warn', fields: { reason: 'in_flight', inFlight: 2 }, text: 'overloaded: requests are refused' },
      { level: 'warn', fields: { reason: 'in_flight', inFlight: 2 }, text: 'overloaded: requests are refused' },
      {
        level: 'warn',
        fields: { ms: 251, inFlight: 2 },
        text: 'the event loop was blocked: a computation ran too long without a pause',
      },
    ]);
  });

  describe('one key', () => {
    const caller = (key: string) => ({ key, project: 'web', organization: 'acme', models: [] });
    /** Opens exchanges of a key until one is refused. */
    const fill = (
      { overload }: ReturnType<typeof start>,
      key: string,
      most = 10_000,
    ): { readonly held: readonly KeyHold[]; readonly refused: GatewayError | undefined } => {
      const held: KeyHold[] = [];
      while (held.length < most) {
        let entered = false;
        try {
          entered = overload.enter();
          held.push(overload.hold(caller(key)));
        } catch (thrown) {
          if (entered) overload.leave();
          if (!GatewayError.is(thrown)) throw thrown;
          return { held, refused: thrown };
        }
      }
      return { held, refused: undefined };
    };

    it('leaves capacity for other keys, and gives several keys the same share', async () => {
      const scene = start({ inFlight: 2_000 });
      const first = fill(scene, 'a');
      expect(first.held).to.have.length(1_801);
      expect(first.refused).to.include({ code: 'rate_limit_exceeded', status: 429, publicRetrySeconds: 1 });
      expect(first.refused?.message).to.include('server.overload.perKey');
      expect(fill(scene, 'b').held).to.have.length(180);
      expect(fill(scene, 'c', 10).held, 'a third key').to.have.length(10);
      expect(await scene.shed()).to.include({ key_in_flight: 2, in_flight: 0 });
    });

    it('lets one key use all of a small process, and with perKey 1 all of any process', () => {
      for (const inFlight of [1, 2, 8, 10]) expect(fill(start({ inFlight }), 'a').held).to.have.length(inFlight);
      const all = fill(start({ inFlight: 2_000, perKey: 1 }), 'a');
      expect(all.held).to.have.length(2_000);
      expect(all.refused).to.include({ code: 'overloaded' });
    });

    it('gives a key its capacity back when its exchanges are settled', () => {
      const scene = start({ inFlight: 100 });
      const { held } = fill(scene, 'a');
      expect(fill(scene, 'a').held).to.have.length(0);
      for (const hold of held.slice(0, 50)) hold.release();
      expect(fill(scene, 'a', 5).held).to.have.length(5);
    });

    it('counts the memory of bodies in all and per key, and releases that of settled exchanges', async () => {
      const { overload, shed } = start({ inFlight: 100 });
      const [one, two] = [overload.hold(caller('a')), overload.hold(caller('b'))];
      one.take(500);
      one.take(400);
      const other = overload.hold(caller('a'));
      expect(() => other.take(1))
        .to.throw()
        .that.includes({ code: 'rate_limit_exceeded' });
      two.take(90);
      expect(() => two.take(11))
        .to.throw()
        .that.includes({ code: 'overloaded' });
      one.release();
      two.take(500);
      two.release();
      overload.hold(caller('a')).take(900);
      expect(await shed()).to.include({ key_memory: 1, memory: 1 });
    });

    const layout = ({ containers = 0, scalars = 0, members = 0 }): JsonLayout => ({
      ...readJsonLayout(Buffer.from('')),
      counts: { containers, scalars, keys: 0 },
      memberCount: members,
    });

    it('counts objects, strings and members of a body before it is parsed, and refuses one that no key can send', async () => {
      const { overload, shed } = start({ memory: 400_000 });
      const [one, two] = [overload.hold(caller('a')), overload.hold(caller('b'))];
      one.take(1_000);
      one.take(0, layout({ containers: 1_000, scalars: 1_000, members: 1_000 }));
      expect(() => one.take(0, layout({ members: 1_400 })))
        .to.throw()
        .that.includes({ code: 'request_too_large', status: 413 })
        .with.property('message')
        .that.matches(/at least 1 MB of memory.*\(server\.overload\.memory\)\. Send fewer or shorter messages/);
      two.take(0, layout({ scalars: 10_000 }));
      expect(() => two.take(0, layout({ containers: 1_000 })))
        .to.throw()
        .that.includes({ code: 'overloaded' });
      expect(await shed()).to.include({ memory: 1, key_memory: 0 });
    });

    it('counts steps of computation in all and per key, which count less as time passes', async () => {
      const { overload, clock, shed } = start({ inFlight: 100 });
      const [one, two, three] = [overload.hold(caller('a')), overload.hold(caller('b')), overload.hold(caller('c'))];
      expect(() => one.spend(900_001))
        .to.throw()
        .that.includes({ code: 'request_too_large', status: 413 });
      one.spend(450_000);
      expect(() => one.spend(450_001))
        .to.throw()
        .that.includes({ code: 'request_too_large' });
      one.spend(450_000);
      expect(() => overload.hold(caller('a')).spend(1))
        .to.throw()
        .that.includes({ code: 'rate_limit_exceeded', status: 429, publicRetrySeconds: 1 });
      two.spend(50_000);
      expect(() => three.spend(50_001))
        .to.throw()
        .that.includes({ code: 'overloaded', status: 503 });
      expect(await shed()).to.include({ steps: 1, key_steps: 1 });

      // Steps that were counted are no longer open work when they are old, also while their exchange is open.
      clock.now += 10_000;
      two.spend(500_000);
      clock.now += 100_000;
      overload.hold(caller('a')).spend(890_000);
      one.release();
      two.release();
    });

    it('counts the steps of exchanges of a key that have ended', async () => {
      const { overload, clock, shed } = start({ inFlight: 100 });
      const one = overload.hold(caller('a'));
      one.spend(900_000);
      one.release();
      overload.observeLag(0);
      expect(() => overload.hold(caller('a')).spend(50_000))
        .to.throw()
        .that.includes({ code: 'rate_limit_exceeded' });
      expect(await shed()).to.include({ steps: 0, key_steps: 1 });
      clock.now += 100_000;
      overload.observeLag(0);
      overload.hold(caller('a')).spend(890_000);
    });
  });
});
