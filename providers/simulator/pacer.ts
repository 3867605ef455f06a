/** Waits that end when the caller aborts, with one abort listener for the whole response instead of one per delta. */
export class Pacer {
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #listening = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws the signal's reason when it is or becomes aborted */
  async wait(milliseconds: number): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#listening) this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#listening = true;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (milliseconds < Number.POSITIVE_INFINITY) this.#timer = setTimeout(resolve, milliseconds);
    });
    this.#signal.throwIfAborted();
  }

  /** Rejects when the signal aborts. */
  async waitForAbort(): Promise<never> {
    await this.wait(Number.POSITIVE_INFINITY);
    throw new Error('The wait for an abort ended without one.');
  }

  /** @throws the signal's reason when it is aborted */
  check(): void {
    this.#signal.throwIfAborted();
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    clearTimeout(this.#timer);
    this.#wake?.();
  };
}
