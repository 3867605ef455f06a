import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, readDuration, type Clock, type Fetch, type Log } from '../../../core/api/index.ts';

/** `config.webhook` of the plugin. */
export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
  readonly timeout: string;
}

/** Milliseconds before the second try, the third, and so on: five tries within about eight minutes. */
const RETRIES: readonly number[] = [5_000, 30_000, 120_000, 300_000];
/** Events that are being sent or wait for their next try. */
const MAX_WAITING = 1_000;
const [SHORTEST_MS, LONGEST_MS] = [100, 60_000];
/** How long shutdown waits for events that are being sent. */
const CLOSE_TIMEOUT_MS = 2_000;
const SECRET_TAG = 'whsec_';

/** `config.webhook.timeout` in milliseconds. @throws GatewayError `KOINE_CONFIG_INVALID` */
export function readTimeout(text: string): number {
  const milliseconds = readDuration(text);
  if (milliseconds >= SHORTEST_MS && milliseconds <= LONGEST_MS) return milliseconds;
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `webhook.timeout is ${text}; write a length of time between 100ms and 1m.`,
  );
}

/** By Standard Webhooks a secret with their tag is base64; any other secret is text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(SECRET_TAG) ? Buffer.from(secret.slice(SECRET_TAG.length), 'base64') : Buffer.from(secret);

/**
 * The headers of https://www.standardwebhooks.com, which receivers verify with any of its libraries.
 * @param at unix milliseconds
 */
export function signWebhook(
  secret: string,
  id: string,
  at: number,
  body: string,
): Readonly<Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

export interface WebhookParts {
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly count: (result: 'sent' | 'failed' | 'dropped') => void;
  readonly retries?: readonly number[];
}

/** An event, and the number of tries before the current one. */
interface Delivery {
  readonly options: WebhookOptions;
  readonly id: string;
  readonly body: string;
  readonly tries: number;
}

/** Sends events to the webhook, with retries. It outlives reloads. */
export class Webhook {
  readonly #parts: WebhookParts;
  readonly #sending = new Set<Promise<void>>();
  readonly #paused = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** Sends an event until it is accepted. Returns at once. @param body JSON */
  send(options: WebhookOptions, id: string, body: string): void {
    const waiting = this.#sending.size + this.#paused.size;
    if (waiting < MAX_WAITING) return this.#begin({ options, id, body, tries: 0 });
    this.#parts.count('dropped');
    this.#parts.log.error({ id, waiting, body }, 'too many events wait for the webhook: one is dropped');
  }

  /** Waits a short time for events that are being sent. Events that wait for their next try are lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#paused) clearTimeout(timer);
    const events = this.#paused.size;
    if (events > 0)
      this.#parts.log.warn({ events }, 'the gateway stops before the webhook has accepted all events: they are lost');
    await Promise.race([Promise.all(this.#sending), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #begin(delivery: Delivery): void {
    const sending = this.#try(delivery).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #try(delivery: Delivery): Promise<void> {
    const { count, log, retries = RETRIES } = this.#parts;
    const { id, body, tries } = delivery;
    const reason = await this.#post(delivery);
    if (reason === undefined) return count('sent');
    count('failed');
    const pause = retries[tries];
    if (pause === undefined || this.#isClosed) {
      count('dropped');
      log.error({ id, reason, tries: tries + 1, body }, 'the webhook did not accept an event: it is dropped');
      return;
    }
    log.warn({ id, reason, againInMs: pause }, 'the webhook did not accept an event: it is sent again');
    const timer = setTimeout(() => {
      this.#paused.delete(timer);
      this.#begin({ ...delivery, tries: tries + 1 });
    }, pause).unref();
    this.#paused.add(timer);
  }

  /** Returns why the event was not accepted; undefined if it was. */
  async #post({ options: { url, secret, timeout }, id, body }: Delivery): Promise<string | undefined> {
    const { fetch, clock } = this.#parts;
    const headers = { 'content-type': 'application/json', ...signWebhook(secret, id, clock.now(), body) };
    try {
      const { status } = await fetch(url, { method: 'POST', headers, body, timeoutMs: readTimeout(timeout) });
      return status >= 200 && status < 300 ? undefined : `it responded with status ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
