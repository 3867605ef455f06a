/** Rejects with the error of `timedOut` if the promise does not settle in time. The promise itself is not cancelled. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, timedOut: () => Error): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timedOut()), timeoutMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
