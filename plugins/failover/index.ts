import { definePlugin, omitUndefined, type Services } from '../../core/index.ts';
import { createArrange } from './attempts/router.ts';
import { pause } from './attempts/backoff.ts';
import { createBudget } from './attempts/retry-budget.ts';
import { createCall } from './attempts/call.ts';
import { createStrategy } from './attempts/strategy.ts';
import { checkSettings } from './config/check-settings.ts';
import { createExplain } from './admin/explain.ts';
import type { Change, Condition, Subject } from './health/condition.ts';
import { createRoster } from './health/health-registry.ts';
import { createLearn } from './health/recorder.ts';
import { createMeters, type Meters } from './meters.ts';
import { createPrimary } from './admin/primary.ts';
import { INSECURE, isRefusal } from './health/reactions.ts';
import { createReport, wallTime, type Report } from './admin/report.ts';
import { schema, type FailoverOptions } from './config/schema.ts';
import { readSettings } from './config/settings.ts';
import { createLimitWatch } from './health/watch-limits.ts';

const texts = {
  'open': 'a circuit has opened',
  'half-open': 'a circuit is half-open: a probe was answered',
  'closed': 'a circuit has closed',
} as const;

/** What an operator has to see to, once. */
const alertOf = (reason: string): string | undefined => {
  if (reason === INSECURE)
    return 'there is no secure connection to a provider: its certificate or its TLS is not acceptable. Nothing was sent. It is tried again from time to time';
  return isRefusal(reason)
    ? 'a provider refuses a credential of the gateway, for this model or (*) for all. It is tried again from time to time'
    : undefined;
};

/** Circuits and cooldowns that have changed: for the log, the metrics and the admin API. */
const createReporters = ({ log, clock }: Pick<Services, 'log' | 'clock'>, meters: Meters, report: Report) => {
  const writeLine = (subject: Subject, { isNew, ...change }: Change): void => {
    if (!isNew) return;
    const { from, to, reason } = change;
    const fields = { ...subject, ...change };
    const alert = from === 'closed' ? alertOf(reason) : undefined;
    if (alert !== undefined) log.error(fields, alert);
    else if (to === 'open') log.warn(fields, texts[to]);
    else log.info(fields, texts[to]);
  };
  const changed = (subject: Subject, change: Change): void => {
    const { from, to, reason, openMs, callers } = change;
    if (from !== to) meters.turned(subject, to);
    const until = openMs === undefined ? {} : { until: wallTime(clock, openMs) };
    report({ kind: 'circuit', subject, state: to, reason, ...until, ...(callers === undefined ? {} : { callers }) });
    writeLine(subject, change);
  };
  const cooled = (condition: Condition, reason: string, milliseconds: number): void => {
    const now = clock.monotonic();
    const callers = condition.affected(({ cooling }) => cooling.until > now);
    const until = wallTime(clock, milliseconds);
    report(
      omitUndefined({
        kind: 'cooling',
        subject: condition.subject,
        reason,
        until,
        callers,
      }),
    );
  };
  return { changed, cooled };
};

/** Goes on to the next credential or target when one fails, and spares those that do: docs/failover.md. */
export default definePlugin<FailoverOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'failover',
  init: { position: 40, comment: 'Goes on to the next credential or target when one fails.' },
  schema,
  check: checkSettings,

  create: (options, { log, clock, metrics, primary, keep }) => {
    const settings = readSettings(options);
    const random = Math.random;
    const meters = keep('failover/meters', () => createMeters(metrics));
    const budget = createBudget(settings.budget);
    const roster = keep('failover/roster', () => createRoster(settings.circuit, random));
    const { changed, cooled } = createReporters({ log, clock }, meters, createReport(primary, log));
    let isInForce = false;
    /** With its first exchange: a configuration that does not come into force changes nothing for the one that is. */
    const takeForce = (): void => {
      if (!isInForce) roster.adopt(settings.circuit, changed);
      isInForce = true;
    };
    const arrange = createArrange({ settings, roster, random, log });
    const learn = createLearn(settings, cooled);
    const call = createCall({ learn, roster, clock, slowMs: settings.circuit.slowMs });
    const strategy = createStrategy({
      settings,
      roster,
      arrange,
      call,
      budget,
      clock,
      random,
      pause,
      noteFallback: meters.fallback,
    });
    return {
      strategy: (exchange, attempt) => {
        takeForce();
        return strategy(exchange, attempt);
      },
      onResponseHeaders: createLimitWatch({ roster, meters, clock }),
      observe: ({ caller }, { target, credential, ending }) => {
        const health = ending === undefined ? undefined : roster.find(target, credential);
        if (health !== undefined && ending !== undefined)
          learn.broke(health, ending, { caller, now: clock.monotonic() });
      },
      explain: createExplain({ settings, arrange, primary, clock }),
    };
  },
  primary: (_options, services) => createPrimary(services),
});
