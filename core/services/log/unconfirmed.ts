/** Lines that were written together. */
export interface Batch {
  readonly whole: Uint8Array;
  rest: Uint8Array;
  readonly lines: number;
}

/**
 * Batches that were written to the pipe of another process, which has not confirmed yet that the operating system has
 * them: they are lost if that process dies.
 */
export class Unconfirmed {
  readonly #mostBytes: number;
  #batches: Batch[] = [];
  #bytes = 0;
  /** Confirmed lines of the first batch; below zero, lines that were forgotten before they were confirmed. */
  #lines = 0;

  /** @param mostBytes beyond these, the oldest are forgotten */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
    this.#bytes += batch.whole.length;
    if (this.#bytes > this.#mostBytes) this.#forgetFirst();
  }

  /** @param lines that the operating system has since the last call */
  confirm(lines: number): void {
    this.#lines += lines;
    for (let first = this.#batches[0]; first !== undefined; first = this.#batches[0]) {
      if (first.lines > this.#lines) return;
      this.#forgetFirst();
    }
  }

  /** All of them, to be written again. */
  take(): readonly Batch[] {
    const batches = this.#batches.map(({ whole, lines }) => ({ whole, rest: whole, lines }));
    [this.#batches, this.#bytes] = [[], 0];
    return batches;
  }

  #forgetFirst(): void {
    const first = this.#batches.shift();
    if (first === undefined) return;
    this.#bytes -= first.whole.length;
    this.#lines -= first.lines;
  }
}
