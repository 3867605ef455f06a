/** Milliseconds between two measurements. */
const INTERVAL_MS = 100;

/**
 * Reports by how many milliseconds the event loop is late. A blocked loop is reported once, right after the block.
 * @returns a function that stops it
 */
export function watchLoopLag(report: (ms: number) => void): () => void {
  let expected = performance.now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    report(Math.max(0, now - expected));
    expected = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
