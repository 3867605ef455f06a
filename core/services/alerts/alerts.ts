import { hash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { Alert, Clock, Fetch, Log, Metrics, Redis } from '../../contracts/services.ts';
import { setBounded } from '../bounded-map.ts';
import type { AlertsConfig } from './alerts-config.ts';
import { createEmail } from './email.ts';
import { Outbox, type AlertMessage, type AlertResult, type SendOnce } from './outbox.ts';
import { createWebhook } from './webhook.ts';

/** Keys of alerts that are kept. */
const MOST = 50_000;

/** ARGV: milliseconds. */
const claimScript = `return redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1])`;

export interface AlertsParts {
  readonly redis: Redis | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly retries?: readonly number[];
}

interface Channel {
  readonly outbox: Outbox;
  readonly send: SendOnce;
  readonly perHour: number;
}

const channels = ['webhook', 'email'] as const;

/** Sends alerts to the log and to the channels of the configuration, once for all gateways that share a Redis. */
export class Alerts {
  readonly #parts: AlertsParts;
  /** By key: the unix milliseconds until which an alert is not sent again. */
  readonly #sent = new Map<string, number>();
  readonly #claim: ReturnType<Redis['script']> | undefined;
  readonly #outboxes: Readonly<Record<(typeof channels)[number], Outbox>>;
  #channels: readonly Channel[] = [];

  constructor(parts: AlertsParts) {
    this.#parts = parts;
    const { redis, metrics, log, clock, retries } = parts;
    this.#claim = redis?.script('koineClaim', claimScript);
    const results = metrics.counter(
      'koine_alerts_total',
      'Alerts for the webhook and for e-mail: sent, failed at an attempt, dropped, suppressed by the rate.',
      ['channel', 'result'],
    );
    const openOutbox = (channel: string): Outbox => {
      const count = (result: AlertResult): void => results.bind([channel, result])(1);
      return new Outbox({ channel, clock, log, count, ...(retries === undefined ? {} : { retries }) });
    };
    this.#outboxes = { webhook: openOutbox('webhook'), email: openOutbox('email') };
  }

  /** From now on alerts are sent as this configuration says. */
  adopt({ webhook, email }: AlertsConfig): void {
    const { fetch, clock } = this.#parts;
    const senders = {
      webhook: webhook && { send: createWebhook(webhook, fetch, clock), perHour: webhook.perHour },
      email: email && { send: createEmail(email), perHour: email.perHour },
    };
    this.#channels = channels.flatMap((channel) => {
      const sender = senders[channel];
      return sender === undefined ? [] : { outbox: this.#outboxes[channel], ...sender };
    });
  }

  /**
   * Logs and sends an alert, unless one with the same key was sent. Without a Redis that responds, each gateway sends
   * its own. Never rejects.
   * @returns whether it was sent
   */
  async raise(alert: Alert): Promise<boolean> {
    const { clock, log } = this.#parts;
    const now = clock.now();
    const { key, onceFor } = alert;
    if ((this.#sent.get(key) ?? 0) > now) return false;
    setBounded(this.#sent, MOST, key, now + onceFor);
    if (!(await this.#isFirst(key, onceFor))) return false;
    const { event, text, fields, isLogged } = alert;
    const id = randomUUID();
    const described = { event, id, at: new Date(now).toISOString(), host: hostname(), ...fields };
    const body = redactKeys(JSON.stringify(described));
    const message: AlertMessage = { id, text: redactKeys(text), body };
    if (isLogged !== true) log.warn(JSON.parse(body) as object, message.text);
    for (const { outbox, send, perHour } of this.#channels) outbox.send(send, message, perHour);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all(channels.map((channel) => this.#outboxes[channel].close()));
  }

  /** Keys can be long, and have names of callers: Redis gets a digest. */
  async #isFirst(key: string, onceFor: number): Promise<boolean> {
    try {
      const claimed = await this.#claim?.([`koine:{alerts}:${hash('sha256', key)}`], [Math.ceil(onceFor)]);
      return claimed !== null;
    } catch {
      return true;
    }
  }
}
