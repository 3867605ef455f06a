import type { JsonObject } from '../../../../../core/api/index.ts';

/** Sends one event of the stream. A plain response is composed from the same steps, and its events are discarded. */
export type Emit = (type: string, members: JsonObject) => void;

/** The steps as they grow. Their numbers are dense from 0, in the order in which they start. */
export class StepList {
  /** The finished steps. */
  readonly steps: JsonObject[] = [];
  readonly #emit: Emit;
  #next = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Starts a step. @returns its index */
  start(step: JsonObject): number {
    const index = this.#next++;
    this.#emit('step.start', { index, step });
    return index;
  }

  delta(index: number, delta: JsonObject): void {
    this.#emit('step.delta', { index, delta });
  }

  /** @param step as a plain response has it */
  stop(index: number, step: JsonObject): void {
    this.steps.push(step);
    this.#emit('step.stop', { index });
  }

  /** Writes a step that has no deltas. */
  write(step: JsonObject): void {
    this.stop(this.start(step), step);
  }
}
