import { expect } from 'chai';
import { handleSignals, type SignalTarget } from '../../../../core/server/shutdown/signals.ts';
import { createTestLog } from '../../../../core/testing/index.ts';

const names = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

describe('handleSignals', () => {
  const before = new Map(names.map((name) => [name, process.listeners(name)]));
  afterEach(() => {
    for (const name of names)
      for (const listener of process.listeners(name))
        if (before.get(name)?.includes(listener) !== true) process.off(name, listener);
  });

  const start = (drained: boolean | Promise<boolean>, cutMs?: number) => {
    const calls: string[] = [];
    const gateway: SignalTarget = {
      drain: async (isHurried) => {
        calls.push(isHurried ? 'drain at once' : 'drain');
        return drained;
      },
      cut: () => void calls.push('cut'),
      reload: () => void calls.push('reload'),
    };
    return { calls, gateway, signals: handleSignals(createTestLog(), cutMs) };
  };

  for (const [name, call] of [
    ['SIGTERM', 'drain'],
    ['SIGINT', 'drain at once'],
  ] as const) {
    it(`drains the gateway on ${name} and exits with 0`, async () => {
      const { calls, gateway, signals } = start(true);
      signals.attach(gateway);
      process.emit(name, name);
      expect(await signals.exit).to.equal(0);
      expect(calls).to.deep.equal([call]);
    });
  }

  it('exits with 1 when connections had to be cut', async () => {
    const { gateway, signals } = start(false);
    signals.attach(gateway);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await signals.exit).to.equal(1);
  });

  it('cuts open connections on a second signal, and exits when the gateway has closed', async () => {
    const closing = Promise.withResolvers<boolean>();
    const { calls, gateway, signals } = start(closing.promise, 60_000);
    signals.attach(gateway);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGINT', 'SIGINT');
    expect(calls).to.deep.equal(['drain', 'cut']);
    const isOver = Promise.race([
      signals.exit.then(() => true),
      new Promise((resolve) => setTimeout(() => resolve(false), 20)),
    ]);
    expect(await isOver).to.equal(false);
    closing.resolve(true);
    expect(await signals.exit).to.equal(1);
  });

  it('exits after a second signal even if the gateway never closes', async () => {
    const { gateway, signals } = start(new Promise<never>(() => {}), 10);
    signals.attach(gateway);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(await signals.exit).to.equal(1);
  });

  it('stops the gateway without delay when the signal came during startup', async () => {
    const { calls, gateway, signals } = start(true);
    process.emit('SIGTERM', 'SIGTERM');
    expect(calls).to.deep.equal([]);
    signals.attach(gateway);
    expect(await signals.exit).to.equal(0);
    expect(calls).to.deep.equal(['drain at once']);
  });

  it('reloads on SIGHUP once the gateway serves, and not while it stops', async () => {
    const { calls, gateway, signals } = start(new Promise<never>(() => {}));
    process.emit('SIGHUP', 'SIGHUP');
    process.emit('SIGHUP', 'SIGHUP');
    signals.attach(gateway);
    expect(calls).to.deep.equal(['reload']);
    process.emit('SIGHUP', 'SIGHUP');
    expect(calls).to.deep.equal(['reload', 'reload']);
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGHUP', 'SIGHUP');
    expect(calls).to.deep.equal(['reload', 'reload', 'drain']);
  });
});
