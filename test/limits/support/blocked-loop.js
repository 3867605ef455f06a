const BLOCKED_MS = 1_300;

/** SIGUSR2 blocks the event loop: timers are late, and what has arrived is not read. */
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
});
