import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError, readDuration, type Clock, type Fetch, type Log } from '../../../core/index.ts';

/** `config.webhook` of the plugin. */
export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
  readonly timeout: string;
}

/** Milliseconds before the second try, the third, ...: five tries within some eight minutes. */
const RETRIES: readonly number[] = [5_000, 30_000, 120_000, 300_000];
/** Events that wait for an answer or their next try. */
const MOST_WAITING = 1_000;
const [SHORTEST_MS, LONGEST_MS] = [100, 60_000];
/** How long the end of the gateway waits for what is under way. */
const GOODBYE_MS = 2_000;
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

/** As the Standard Webhooks have it: a secret with their tag is base64, every other is text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(SECRET_TAG) ? Buffer.from(secret.slice(SECRET_TAG.length), 'base64') : Buffer.from(secret);

/**
 * The headers of https://www.standardwebhooks.com: receivers check them with any of its libraries.
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

/** Events on their way. They outlive reloads. */
export interface Webhook {
  /** Sends it, and again until it is accepted; nobody waits for that. @param body JSON */
  send(options: WebhookOptions, id: string, body: string): void;
  /** Gives what is under way a little time; what waits for its next try is lost. */
  close(): Promise<void>;
}

export interface WebhookParts {
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly count: (result: 'sent' | 'failed' | 'dropped') => void;
  readonly retries?: readonly number[];
}

export function createWebhook({ fetch, clock, log, count, retries = RETRIES }: WebhookParts): Webhook {
  const underWay = new Set<Promise<void>>();
  const paused = new Set<NodeJS.Timeout>();
  let isClosed = false;

  /** Undefined: it was accepted; else why not. */
  const post = async (
    { url, secret, timeout }: WebhookOptions,
    id: string,
    body: string,
  ): Promise<string | undefined> => {
    const headers = { 'content-type': 'application/json', ...signWebhook(secret, id, clock.now(), body) };
    try {
      const { status } = await fetch(url, { method: 'POST', headers, body, timeoutMs: readTimeout(timeout) });
      return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const attempt = async (options: WebhookOptions, id: string, body: string, tries: number): Promise<void> => {
    const reason = await post(options, id, body);
    if (reason === undefined) return count('sent');
    count('failed');
    const pause = retries[tries];
    if (pause === undefined || isClosed) {
      count('dropped');
      log.error({ id, reason, tries: tries + 1, body }, 'the webhook did not accept an event: it is dropped');
      return;
    }
    log.warn({ id, reason, againInMs: pause }, 'the webhook did not accept an event: it is sent again');
    const timer = setTimeout(() => {
      paused.delete(timer);
      begin(options, id, body, tries + 1);
    }, pause).unref();
    paused.add(timer);
  };
  const begin = (options: WebhookOptions, id: string, body: string, tries: number): void => {
    const trying = attempt(options, id, body, tries).finally(() => underWay.delete(trying));
    underWay.add(trying);
  };
  return {
    send: (options, id, body) => {
      const waiting = underWay.size + paused.size;
      if (waiting < MOST_WAITING) return begin(options, id, body, 0);
      count('dropped');
      log.error({ id, waiting, body }, 'too many events wait for the webhook: one is dropped');
    },
    close: async () => {
      isClosed = true;
      for (const timer of paused) clearTimeout(timer);
      if (paused.size > 0)
        log.warn({ events: paused.size }, 'the gateway ends before the webhook has accepted all events');
      await Promise.race([Promise.all(underWay), delay(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}
