import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Clock } from '../../contracts/services.ts';
import { createBackOff } from './restarts.ts';
import type { WorkerExit } from './worker-thread.ts';

type State = 'starting' | 'serving' | 'waiting';

/** How the last worker of a slot ended, at a time in unix milliseconds. */
interface LastExit extends WorkerExit {
  readonly at: number;
}

const writeTime = (at: number): string => new Date(at).toISOString();
const writeExit = ({ at, code, reason, error }: LastExit): object =>
  omitUndefined({ at: writeTime(at), code, reason, error: error && `${error.code}: ${error.message}` });

/** One of the `server.workers` places. It is always held by one worker, or waits for the next one. */
export class WorkerSlot {
  readonly #clock: Clock;
  readonly #backOff = createBackOff();
  #worker: number | undefined;
  #state: State = 'starting';
  #since: number;
  #startedAt = 0;
  #failedStarts = 0;
  #lastExit: LastExit | undefined;
  #nextStart: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** The workers that have ended in a row before they served. */
  get failedStarts(): number {
    return this.#failedStarts;
  }

  /** @param worker its number */
  started(worker: number): void {
    this.#worker = worker;
    this.#startedAt = this.#clock.monotonic();
    this.#nextStart = undefined;
    this.#enter('starting');
  }

  serves(): void {
    this.#failedStarts = 0;
    this.#enter('serving');
  }

  /** @returns how long to wait before the next start, in milliseconds */
  ended(exit: WorkerExit): number {
    const hasServed = this.#state === 'serving';
    const afterMs = this.#backOff(this.#clock.monotonic() - this.#startedAt, hasServed);
    if (!hasServed) this.#failedStarts += 1;
    this.#enter('waiting');
    this.#lastExit = { at: this.#since, ...exit };
    this.#nextStart = this.#since + afterMs;
    return afterMs;
  }

  /** For `GET /admin/workers`: the current worker, or the last one. */
  describe(): object {
    return omitUndefined({
      worker: this.#worker,
      state: this.#state,
      since: writeTime(this.#since),
      failedStarts: this.#failedStarts,
      lastExit: this.#lastExit && writeExit(this.#lastExit),
      nextStart: this.#nextStart === undefined ? undefined : writeTime(this.#nextStart),
    });
  }

  #enter(state: State): void {
    this.#state = state;
    this.#since = this.#clock.now();
  }
}
