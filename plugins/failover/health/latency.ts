/** How long a target takes until its answer begins: recent figures weigh more, and old ones fade, so that a slow target is asked again. */
export interface Latency {
  add(now: number, milliseconds: number): void;
  /** Milliseconds; 0 where nothing is known. */
  read(now: number): number;
  /** The same, however old; 0 where nothing is known. */
  readonly usual: number;
}

const WEIGHT = 0.2;
const HALF_LIFE_MS = 30_000;

export function createLatency(): Latency {
  let mean = 0;
  let at = 0;
  return {
    add: (now, milliseconds) => {
      mean = mean === 0 ? milliseconds : mean + WEIGHT * (milliseconds - mean);
      at = now;
    },
    get usual() {
      return mean;
    },
    read: (now) => mean * 0.5 ** ((now - at) / HALF_LIFE_MS),
  };
}
