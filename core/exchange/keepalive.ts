import type { Output } from '../contracts/reply.ts';

export interface Keepalive extends Output {
  stop(): void;
}

/** Passes what is written, and writes `text` whenever nothing has been written for the interval. Only ever between whole frames. */
export const createKeepalive = (output: Output, text: string, everyMs: number): Keepalive => {
  const timer = setTimeout(function beat() {
    void output.write(text);
    timer.refresh();
  }, everyMs);
  return {
    write: (bytes) => {
      timer.refresh();
      return output.write(bytes);
    },
    stop: () => clearTimeout(timer),
  };
};
