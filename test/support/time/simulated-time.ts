import { mock } from 'node:test';
import { tick } from '../../../core/services/timer.ts';

const HOUR_MS = 3_600_000;
let now = 0;
const pending = new Set<SimulatedTimer>();

/** Node's `mock.timers` cannot refresh a timer. */
class SimulatedTimer {
  readonly run: () => void;
  readonly #ms: number;
  readonly repeats: boolean;
  dueAt = 0;

  constructor(run: () => void, ms: number, repeats: boolean) {
    this.run = run;
    this.#ms = Math.max(1, ms);
    this.repeats = repeats;
    this.refresh();
  }

  refresh(): this {
    this.dueAt = now + this.#ms;
    pending.add(this);
    return this;
  }

  unref(): this {
    return this;
  }
}

const create =
  (repeats: boolean) =>
  (callback: (...values: readonly unknown[]) => void, ms = 0, ...values: readonly unknown[]): SimulatedTimer =>
    new SimulatedTimer(() => callback(...values), ms, repeats);

const advance = (ms: number): void => {
  now += ms;
  for (const timer of pending) {
    if (timer.dueAt > now) continue;
    if (timer.repeats) timer.refresh();
    else pending.delete(timer);
    timer.run();
  }
};

/**
 * In the tests of the enclosing `describe`, timers and `performance.now()` follow a clock that moves a millisecond with
 * each turn of the event loop. What they wait for takes the same time on every machine, and in fact next to none. They
 * may wait for timers and promises, not for sockets, files or other processes.
 */
export const useSimulatedTime = (): void => {
  let turn: NodeJS.Immediate | undefined;
  const move = (): void => {
    advance(1);
    // An earlier test in this process may have left the timers of core with an interval in real time.
    tick();
    turn = setImmediate(move);
  };
  beforeEach(() => {
    now = Math.ceil(performance.now());
    const { clearTimeout: clear } = globalThis;
    const stop = (timer: unknown): void =>
      timer instanceof SimulatedTimer ? void pending.delete(timer) : clear(timer as NodeJS.Timeout | undefined);
    mock.method(performance, 'now', () => now);
    mock.method(globalThis, 'setTimeout', create(false));
    mock.method(globalThis, 'setInterval', create(true));
    mock.method(globalThis, 'clearTimeout', stop);
    mock.method(globalThis, 'clearInterval', stop);
    turn = setImmediate(move);
  });
  afterEach(() => {
    clearImmediate(turn);
    // Timers that core shares between calls would else never end (core/services/timer.ts).
    for (let hour = 0; hour < 3; hour += 1) advance(HOUR_MS);
    pending.clear();
    mock.restoreAll();
  });
};
