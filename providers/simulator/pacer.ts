/** Waits that end when the caller aborts, with one abort listener for the whole answer instead of one per delta. */
export interface Pacer {
  /** @throws the signal's reason when it is or becomes aborted */
  wait(milliseconds: number): Promise<void>;
  /** Rejects when the signal aborts. */
  waitForAbort(): Promise<never>;
  /** @throws the signal's reason when it is aborted */
  check(): void;
  close(): void;
}

export function createPacer(signal: AbortSignal): Pacer {
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  const leave = (): void => {
    clearTimeout(timer);
    wake?.();
  };
  let listening = false;
  const pause = async (milliseconds: number): Promise<void> => {
    signal.throwIfAborted();
    if (!listening) signal.addEventListener('abort', leave, { once: true });
    listening = true;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (milliseconds < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, milliseconds);
    });
    signal.throwIfAborted();
  };
  return {
    wait: pause,
    waitForAbort: async () => {
      await pause(Number.POSITIVE_INFINITY);
      throw new Error('The wait for an abort ended without one.');
    },
    check: () => signal.throwIfAborted(),
    close: () => signal.removeEventListener('abort', leave),
  };
}
