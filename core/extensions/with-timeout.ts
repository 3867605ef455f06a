/**
 * The promise, or the error that `late` makes once the time is over. What becomes of the promise then is the caller's
 * matter.
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), timeoutMs);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
