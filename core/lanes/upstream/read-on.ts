import type { Caller } from '../../contracts/caller.ts';
import type { Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Limits of one process. */
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

const keyOf = ({ organization, project, key }: Caller): string => `${organization}\n${project}\n${key}`;

export function createReadOn(first: ReadOnLimits, metrics: Metrics): ReadOn {
  const left = metrics.counter(
    'koine_left_calls_total',
    'Upstream calls whose client left: read on to learn their usage, or cut.',
    ['action'],
  );
  const [countRead, countCut] = [left.bind(['read_on']), left.bind(['cut'])];
  const calls = new Set<LeftCall>();
  const perKey = new Map<string, number>();
  let limits = first;
  let isEnding = false;
  let over: PromiseWithResolvers<void> | undefined;

  return {
    enter: (call) => {
      const key = keyOf(call.caller);
      const ofKey = perKey.get(key) ?? 0;
      if (isEnding || limits.time === 0 || calls.size >= limits.calls || ofKey >= limits.callsPerKey) {
        countCut(1);
        return undefined;
      }
      countRead(1);
      calls.add(call);
      perKey.set(key, ofKey + 1);
      return limits.time;
    },
    leave: (call) => {
      if (!calls.delete(call)) return;
      const key = keyOf(call.caller);
      const ofKey = (perKey.get(key) ?? 1) - 1;
      if (ofKey === 0) perKey.delete(key);
      else perKey.set(key, ofKey);
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
