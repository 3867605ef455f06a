import { definePlugin } from '../../core/index.ts';
import { createArrange } from './arrange.ts';
import { pause } from './backoff.ts';
import { createBudget } from './budget.ts';
import { createCall } from './call.ts';
import type { Transition } from './circuit.ts';
import { createExplain } from './explain.ts';
import type { Health, Subject } from './health.ts';
import { createLearn } from './learn.ts';
import { createMeters } from './meters.ts';
import { createPrimary } from './primary.ts';
import { INSECURE, isRefusal } from './reactions.ts';
import { createReport, wallTime } from './report.ts';
import { createRoster } from './roster.ts';
import { schema, type FailoverOptions } from './schema.ts';
import { checkSettings, readSettings } from './settings.ts';
import { createStrategy } from './strategy.ts';
import { createLimitWatch } from './watch-limits.ts';

const texts = { 'open': 'a circuit has opened', 'half-open': 'a circuit is probed', 'closed': 'a circuit has closed' } as const;

/** What an operator has to see to, once. */
const alertOf = (reason: string): string | undefined => {
  if (reason === INSECURE) return 'there is no secure connection to a provider: its certificate or its TLS is not acceptable. Nothing was sent. It is tried again from time to time';
  return isRefusal(reason) ? 'a provider refuses a credential of the gateway, for this model or (*) for all. It is tried again from time to time' : undefined;
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
    const report = createReport(primary, log);

    const turned = (subject: Subject, { from, to, reason, openMs }: Transition): void => {
      meters.turned(subject, to);
      report({ kind: 'circuit', subject, state: to, reason, ...(openMs === undefined ? {} : { until: wallTime(clock, openMs) }) });
      const fields = { ...subject, from, to, reason, ...(openMs === undefined ? {} : { openMs }) };
      const alert = from === 'closed' ? alertOf(reason) : undefined;
      if (alert !== undefined) log.error(fields, alert);
      else if (to === 'open') log.warn(fields, texts[to]);
      else log.info(fields, texts[to]);
    };
    let isInForce = false;
    /** With its first exchange: a configuration that does not come into force changes nothing for the one that is. */
    const takeForce = (): void => {
      if (!isInForce) roster.adopt(settings.circuit, turned);
      isInForce = true;
    };
    const rested = ({ subject, cooling: { reason } }: Health, milliseconds: number): void => report({ kind: 'cooling', subject, reason, until: wallTime(clock, milliseconds) });

    const arrange = createArrange({ settings, roster, random, log });
    const learn = createLearn(settings, rested);
    const strategy = createStrategy({ settings, arrange, call: createCall({ learn, roster, clock }), budget, clock, random, pause, noteFallback: meters.fallback });
    return {
      strategy: (exchange, attempt) => {
        takeForce();
        return strategy(exchange, attempt);
      },
      interceptor: createLimitWatch({ roster, meters, clock }),
      observe: (_exchange, { target, credential, ending }) => {
        const health = ending === undefined ? undefined : roster.find(target, credential);
        if (health !== undefined && ending !== undefined) learn.broke(health, ending, clock.monotonic());
      },
      explain: createExplain({ settings, arrange, primary, clock }),
    };
  },
  primary: (_options, services) => createPrimary(services),
});
