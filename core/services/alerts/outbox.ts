import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Log } from '../../contracts/services.ts';

/** An alert as it is sent. */
export interface AlertMessage {
  readonly id: string;
  /** One line. */
  readonly text: string;
  /** The event as JSON, without secrets. */
  readonly body: string;
}

/** Sends a message once. Returns why it was not accepted; undefined if it was. It never rejects. */
export type SendOnce = (message: AlertMessage) => Promise<string | undefined>;

/** What became of a message: `suppressed` by the rate, or `failed` in one attempt. */
export type AlertResult = 'sent' | 'failed' | 'dropped' | 'suppressed';

/** Milliseconds before the second attempt, the third, and so on: five attempts within about eight minutes. */
const RETRIES: readonly number[] = [5_000, 30_000, 120_000, 300_000];
/** Messages that are being sent or wait for their next attempt. */
const MAX_WAITING = 1_000;
const HOUR_MS = 3_600_000;
/** How long shutdown waits for messages that are being sent. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface OutboxParts {
  /** `webhook` or `email`, for the log. */
  readonly channel: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly count: (result: AlertResult) => void;
  readonly retries?: readonly number[];
}

interface Delivery {
  readonly send: SendOnce;
  readonly message: AlertMessage;
  /** Before the current one. */
  readonly attempts: number;
}

/** Sends the messages of one channel, with retries and a bounded rate. It outlives reloads. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #sending = new Set<Promise<void>>();
  readonly #paused = new Set<NodeJS.Timeout>();
  #isClosed = false;
  /** Messages that can be sent now, refilled evenly over an hour. */
  #left: number | undefined;
  #refilledAt = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Sends a message until it is accepted. Returns at once. @param perHour the most messages within an hour */
  send(send: SendOnce, message: AlertMessage, perHour: number): void {
    const { log, count, channel } = this.#parts;
    const fields = { id: message.id, channel, body: message.body };
    const waiting = this.#sending.size + this.#paused.size;
    if (!this.#take(perHour)) {
      count('suppressed');
      log.warn({ ...fields, perHour }, 'an alert is not sent: the rate of this channel is exceeded');
    } else if (waiting >= MAX_WAITING) {
      count('dropped');
      log.error({ ...fields, waiting }, 'too many alerts wait to be sent: one is dropped');
    } else this.#begin({ send, message, attempts: 0 });
  }

  /** Waits a short time for messages that are being sent. Those that wait for their next attempt are lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#paused) clearTimeout(timer);
    const { log, channel } = this.#parts;
    const alerts = this.#paused.size;
    if (alerts > 0) log.warn({ channel, alerts }, 'the gateway stops before all alerts were accepted: they are lost');
    await Promise.race([Promise.all(this.#sending), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #take(perHour: number): boolean {
    const now = this.#parts.clock.monotonic();
    const left = this.#left === undefined ? perHour : this.#left + ((now - this.#refilledAt) * perHour) / HOUR_MS;
    this.#left = Math.min(perHour, left);
    this.#refilledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  #begin(delivery: Delivery): void {
    const sending = this.#try(delivery).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #try(delivery: Delivery): Promise<void> {
    const { count, log, channel, retries = RETRIES } = this.#parts;
    const { send, message, attempts } = delivery;
    const reason = await send(message);
    if (reason === undefined) return count('sent');
    count('failed');
    const pause = retries[attempts];
    const fields = { id: message.id, channel, reason };
    if (pause === undefined || this.#isClosed) {
      count('dropped');
      log.error({ ...fields, attempts: attempts + 1, body: message.body }, 'an alert was not accepted: it is dropped');
      return;
    }
    log.warn({ ...fields, againInMs: pause }, 'an alert was not accepted: it is sent again');
    const timer = setTimeout(() => {
      this.#paused.delete(timer);
      this.#begin({ ...delivery, attempts: attempts + 1 });
    }, pause).unref();
    this.#paused.add(timer);
  }
}
