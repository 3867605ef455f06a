import type { Clock, Log, PrimaryLink } from '../../../core/api/index.ts';
import type { Note, PrimaryMessage } from './messages.ts';

const TIMEOUT_MS = 5_000;

/** Sends changes of circuits and cooldowns to the primary instance, and does not wait for it. */
export class Reporter {
  readonly #primary: PrimaryLink;
  readonly #log: Log;
  #hasFailed = false;

  constructor(primary: PrimaryLink, log: Log) {
    this.#primary = primary;
    this.#log = log;
  }

  report(note: Note): void {
    void this.#send({ call: 'note', note });
  }

  /** Logs the first failure, and no further one until a message was sent again. */
  async #send(message: PrimaryMessage): Promise<void> {
    try {
      await this.#primary.call(message, TIMEOUT_MS);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        this.#log.warn({ error }, 'the main thread does not accept reports of circuits: GET /admin/circuits is stale');
      this.#hasFailed = true;
    }
  }
}

/** Unix milliseconds of a moment that is `inMs` from now. */
export const wallTime = (clock: Clock, inMs: number): number => clock.now() + Math.ceil(inMs);
