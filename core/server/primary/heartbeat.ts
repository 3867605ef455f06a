const BEAT_MS = 250;
const CHECK_MS = 1_000;
/** Checks, not a time: a process that was stopped for a while is late itself, and ends no worker for it. */
const MISSED_CHECKS = 10;

/** In a worker: increments the heartbeat while its event loop turns. */
export function beat(heartbeat: Int32Array): void {
  setInterval(() => Atomics.add(heartbeat, 0, 1), BEAT_MS).unref();
}

/**
 * In the main thread: watches the heartbeat of a worker.
 * @param stalled called once, when it is the same in ten checks, one in a second
 * @returns a function that stops it
 */
export function watchHeartbeat(heartbeat: Int32Array, stalled: () => void): () => void {
  let [last, missed] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(heartbeat, 0);
    // A worker that starts imports modules for a while before its loop turns.
    missed = now > 0 && now === last ? missed + 1 : 0;
    last = now;
    if (missed < MISSED_CHECKS) return;
    clearInterval(timer);
    stalled();
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
