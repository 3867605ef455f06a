import type { Output } from '../contracts/reply.ts';

export interface Keepalive extends Output {
  stop(): void;
}

/**
 * Passes what is written, and writes `text` whenever nothing has been written for the interval. Only ever between whole frames, and never
 * to a client that has stopped reading: what it is sent waits, and life signs behind it would only pile up.
 */
export const createKeepalive = (output: Output, text: string, everyMs: number): Keepalive => {
  let waiting = 0;
  const settle = (): void => {
    waiting -= 1;
  };
  const write: Output['write'] = (bytes) => {
    const full = output.write(bytes);
    if (full === undefined) return undefined;
    waiting += 1;
    return full.finally(settle);
  };
  const timer = setTimeout(function beat() {
    if (waiting === 0) void write(text);
    timer.refresh();
  }, everyMs);
  return {
    write: (bytes) => {
      timer.refresh();
      return write(bytes);
    },
    stop: () => clearTimeout(timer),
  };
};
