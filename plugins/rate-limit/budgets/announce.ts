import { randomUUID } from 'node:crypto';
import type { Clock, Log, Redis } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { describeAmount } from '../rules/describe-limit.ts';
import { tenantRoot } from '../store/redis-store.ts';
import type { BudgetAlert } from './alerts.ts';
import type { Webhook, WebhookOptions } from './webhook.ts';

/** Alerts that were announced, with the unix milliseconds until which another process may send them again. */
export type AnnouncedAlerts = Map<string, number>;

/** How long after the end of a window late settlements can still belong to it. */
const LATE_MS = 3_600_000;

/** What identifies an alert. It contains the amount of the threshold: another amount of the limit is another alert. */
const nameOf = ({ event, bucket, start, threshold, amount }: BudgetAlert): string =>
  `${event};${threshold === undefined ? '' : Math.ceil(amount * threshold)};${start};${bucket}`;

/** ARGV: milliseconds. */
const claimScript = `return redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1])`;

/** The body of a webhook: docs/govern/budgets.md. */
const describe = (alert: BudgetAlert, id: string, now: number): object => {
  const { event, threshold, scope, path, limit, enforce, spent, amount, start, end } = alert;
  const [organization, project, key] = path;
  return omitUndefined({
    event,
    id,
    at: new Date(now).toISOString(),
    scope,
    path: omitUndefined({ organization, project, key }),
    limit,
    enforce,
    threshold,
    spent: describeAmount('cost', spent),
    amount: describeAmount('cost', amount),
    window: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
  });
};

export interface AnnounceParts {
  readonly announced: AnnouncedAlerts;
  readonly redis: Redis | undefined;
  /** undefined: alerts are only logged. */
  readonly options: WebhookOptions | undefined;
  readonly webhook: Webhook;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends an alert to the log and the webhook, once for all hosts that share a Redis. @throws if Redis fails */
export function createAnnounce({
  announced,
  redis,
  options,
  webhook,
  clock,
  log,
}: AnnounceParts): (alert: BudgetAlert) => Promise<void> {
  const claim = redis?.script('koineClaim', claimScript);
  return async (alert) => {
    const now = clock.now();
    const name = nameOf(alert);
    const key = `${alert.tenant}\n${name}`;
    if (announced.has(key)) return;
    for (const [known, until] of announced) if (until < now) announced.delete(known);
    const keepMs = Math.max(LATE_MS, alert.end - now + LATE_MS);
    announced.set(key, now + keepMs);
    try {
      const claimKey = `${tenantRoot(alert.tenant)}announced:${name}`;
      if (claim !== undefined && (await claim([claimKey], [keepMs])) === null) return;
    } catch (error) {
      announced.delete(key);
      throw error;
    }
    const id = randomUUID();
    const event = describe(alert, id, now);
    log.warn(
      event,
      alert.event === 'budget.refused' ? 'a budget refuses requests' : 'a budget has reached a threshold',
    );
    if (options !== undefined) webhook.send(options, id, JSON.stringify(event));
  };
}
