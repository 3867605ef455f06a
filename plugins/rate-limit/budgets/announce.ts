import { randomUUID } from 'node:crypto';
import { type Clock, type Log, omitUndefined, type Redis } from '../../../core/index.ts';
import { describeAmount } from '../rules/describe-limit.ts';
import type { BudgetAlert } from './alerts.ts';
import { tenantRoot } from '../store/redis-store.ts';
import type { Webhook, WebhookOptions } from './webhook.ts';

/** Of what was told: until when somebody may come to tell it again, in unix milliseconds. */
export type ToldAlerts = Map<string, number>;

/** How long after a window late settlements may still come to it. */
const LINGER_MS = 3_600_000;

/** What an alert is told once of: another amount of the limit makes other thresholds. */
const nameOf = ({ event, bucket, start, threshold, amount }: BudgetAlert): string =>
  `${event};${threshold === undefined ? '' : Math.ceil(amount * threshold)};${start};${bucket}`;

/** ARGV: milliseconds. */
const claimScript = `return redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1])`;

/** What the webhook is sent: docs/budgets.md. */
const describe = (
  {
    event,
    threshold,
    scope,
    path: [organization, project, key],
    limit,
    enforce,
    spent,
    amount,
    start,
    end,
  }: BudgetAlert,
  id: string,
  now: number,
): object =>
  omitUndefined({
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

export interface AnnounceParts {
  readonly told: ToldAlerts;
  readonly redis: Redis | undefined;
  /** undefined: the log alone is told. */
  readonly options: WebhookOptions | undefined;
  readonly webhook: Webhook;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells operators of an alert, once for all hosts that count together. @throws where Redis does not say whether another host has */
export function createAnnounce({
  told,
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
    if (told.has(key)) return;
    for (const [known, until] of told) if (until < now) told.delete(known);
    const lasting = Math.max(LINGER_MS, alert.end - now + LINGER_MS);
    told.set(key, now + lasting);
    try {
      if (claim !== undefined && (await claim([`${tenantRoot(alert.tenant)}told:${name}`], [lasting])) === null) return;
    } catch (error) {
      told.delete(key);
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
