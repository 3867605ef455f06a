/** Milliseconds between two looks. */
const EVERY = 100;

/**
 * Tells by how many milliseconds the event loop is late. While it stands still nobody can tell: it is told once, right after.
 * @returns stops it
 */
export function watchLoopLag(tell: (ms: number) => void): () => void {
  let expected = performance.now() + EVERY;
  const timer = setInterval(() => {
    const now = performance.now();
    tell(Math.max(0, now - expected));
    expected = now + EVERY;
  }, EVERY).unref();
  return () => clearInterval(timer);
}
