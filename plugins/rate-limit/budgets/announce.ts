import type { Alert, PrimaryServices } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { describeAmount } from '../rules/describe-limit.ts';
import type { BudgetAlert } from './alerts.ts';

/** Budgets that have refused a request, with the unix milliseconds at which their window ends. */
export type RefusingBudgets = Map<string, number>;

/** How long after the end of a window late settlements can still belong to it. */
const LATE_MS = 3_600_000;

const nameOf = (tenant: string, bucket: string): string => `${tenant}\n${bucket}`;

/** Whether a budget has refused a request in the window that has not ended yet, as far as this host knows. */
export const hasRefused = (refusing: RefusingBudgets, tenant: string, bucket: string, now: number): boolean =>
  (refusing.get(nameOf(tenant, bucket)) ?? 0) > now;

const noteRefusal = (refusing: RefusingBudgets, { tenant, bucket, end }: BudgetAlert, now: number): void => {
  for (const [name, until] of refusing) if (until <= now) refusing.delete(name);
  refusing.set(nameOf(tenant, bucket), end);
};

/** What identifies an alert. It contains the amount of the threshold: another amount of the limit is another alert. */
const keyOf = ({ event, tenant, bucket, start, threshold, amount }: BudgetAlert): string =>
  [event, threshold === undefined ? '' : Math.ceil(amount * threshold), start, tenant, bucket].join(';');

const describe = (alert: BudgetAlert, now: number): Alert => {
  const { event, threshold, scope, path, limit, enforce, spent, amount, start, end } = alert;
  const [organization, project, key] = path;
  return {
    event,
    text: event === 'budget.refused' ? 'a budget refuses requests' : 'a budget has reached a threshold',
    key: keyOf(alert),
    onceFor: Math.max(LATE_MS, end - now + LATE_MS),
    fields: omitUndefined({
      scope,
      path: omitUndefined({ organization, project, key }),
      limit,
      enforce,
      threshold,
      spent: describeAmount('cost', spent),
      amount: describeAmount('cost', amount),
      window: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    }),
  };
};

/** Raises the alert of a budget, and notes that the budget refuses requests. */
export const createAnnounce =
  (refusing: RefusingBudgets, { alert: raise, clock }: Pick<PrimaryServices, 'alert' | 'clock'>) =>
  (alert: BudgetAlert): Promise<boolean> => {
    const now = clock.now();
    if (alert.event === 'budget.refused') noteRefusal(refusing, alert, now);
    return raise(describe(alert, now));
  };
