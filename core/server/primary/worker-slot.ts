import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Clock } from '../../contracts/services.ts';
import type { ForkedWorker, WorkerExit } from './forked-worker.ts';
import { createBackOff } from './restarts.ts';

type State = 'starting' | 'serving' | 'waiting';

/** How the last worker of a slot ended, at a time in unix milliseconds. */
interface LastExit extends WorkerExit {
  readonly at: number;
}

const writeTime = (at: number): string => new Date(at).toISOString();
const writeExit = ({ at, code, signal, reason }: LastExit): object =>
  omitUndefined({ at: writeTime(at), code, signal, error: reason && `${reason.code}: ${reason.message}` });

/** One of the `server.workers` places. It is always held by one worker, or waits for the next one. */
export class WorkerSlot {
  readonly #clock: Clock;
  readonly #backOff = createBackOff();
  #worker: Pick<ForkedWorker, 'id' | 'pid'> | undefined;
  #state: State = 'starting';
  #since: number;
  #forkedAt = 0;
  #failedStarts = 0;
  #lastExit: LastExit | undefined;
  #nextStart: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** The workers that have exited in a row before they served. */
  get failedStarts(): number {
    return this.#failedStarts;
  }

  forked(worker: ForkedWorker): void {
    this.#worker = worker;
    this.#forkedAt = this.#clock.monotonic();
    this.#nextStart = undefined;
    this.#enter('starting');
  }

  serves(): void {
    this.#failedStarts = 0;
    this.#enter('serving');
  }

  /** @returns how long to wait before the next fork, in milliseconds */
  exited(exit: WorkerExit): number {
    const afterMs = this.#backOff(this.#clock.monotonic() - this.#forkedAt);
    if (this.#state === 'starting') this.#failedStarts += 1;
    this.#enter('waiting');
    this.#lastExit = { at: this.#since, ...exit };
    this.#nextStart = this.#since + afterMs;
    return afterMs;
  }

  /** For `GET /admin/workers`: the current worker, or the last one. */
  describe(): object {
    return omitUndefined({
      worker: this.#worker?.id,
      pid: this.#worker?.pid,
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
