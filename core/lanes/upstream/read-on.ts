import type { Caller } from '../../contracts/caller.ts';
import type { Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { HostLoad, READ_ON } from '../../services/shared-memory/host-load.ts';

/** Limits of one host. */
export interface ReadOnLimits {
  /** Milliseconds that a call is read on after its client has left; 0 cuts it at once. */
  readonly time: number;
  /** Calls that are read on at the same time: in all, and of one key. */
  readonly calls: number;
  readonly callsPerKey: number;
}

/** One call that is read on. */
export interface LeftCall {
  readonly caller: Caller;
  /** Ends the call, which calls `leave`. */
  cut(): void;
}

/** Calls whose clients have left, and which are read to their end to learn their usage. */
export interface ReadOn {
  /** @returns the milliseconds that the call is allowed to continue; undefined: cut it at once */
  enter(call: LeftCall): number | undefined;
  leave(call: LeftCall): void;
  /** Replaces the limits for the calls from now on. */
  adopt(limits: ReadOnLimits): void;
  /** Accepts no more calls, and cuts those still open after `afterMs`. Resolves when there are none. */
  end(afterMs: number): Promise<void>;
}

/** Whether the client has left. Then nothing that is written reaches it. */
export const hasLeft = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && GatewayError.is(reason) && reason.code === 'client_closed';

/** Milliseconds: delays of Node's timers are signed 32-bit integers. */
const LONGEST_TIMER = 2_147_483_647;

const nameOf = ({ organization, project, key }: Caller): string => `${organization}/${project}/${key}`;

export function createReadOn(first: ReadOnLimits, metrics: Metrics, load = new HostLoad()): ReadOn {
  const left = metrics.counter(
    'koine_left_calls_total',
    'Upstream calls whose client left: read on to learn their usage, or cut.',
    ['action'],
  );
  const [countRead, countCut] = [left.bind(['read_on']), left.bind(['cut'])];
  const calls = new Set<LeftCall>();
  let limits = first;
  let isEnding = false;
  let over: PromiseWithResolvers<void> | undefined;

  return {
    enter: (call) => {
      const key = load.placeOf('read on', nameOf(call.caller));
      const isFull = load.sum(READ_ON) >= limits.calls || load.sum(key) >= limits.callsPerKey;
      if (isEnding || limits.time === 0 || isFull) {
        countCut(1);
        return undefined;
      }
      countRead(1);
      calls.add(call);
      load.add(READ_ON, 1);
      load.add(key, 1);
      return limits.time;
    },
    leave: (call) => {
      if (!calls.delete(call)) return;
      load.add(READ_ON, -1);
      load.add(load.placeOf('read on', nameOf(call.caller)), -1);
      if (calls.size === 0) over?.resolve();
    },
    adopt: (next) => {
      limits = next;
    },
    end: async (afterMs) => {
      isEnding = true;
      if (calls.size === 0) return;
      over ??= Promise.withResolvers<void>();
      const timer = setTimeout(() => [...calls].forEach(({ cut }) => cut()), Math.min(afterMs, LONGEST_TIMER));
      await over.promise;
      clearTimeout(timer);
    },
  };
}
