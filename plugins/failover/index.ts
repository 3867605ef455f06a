import { isMainThread, workerData } from 'node:worker_threads';
import { definePlugin, type Clock, type Log } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { createExplain } from './admin/explain.ts';
import { createPrimary } from './admin/primary.ts';
import { Reporter, wallTime } from './admin/reporter.ts';
import { pause } from './attempts/backoff.ts';
import { createCall } from './attempts/call.ts';
import { RetryBudget } from './attempts/retry-budget.ts';
import { Router } from './attempts/router.ts';
import { FailoverStrategy } from './attempts/strategy.ts';
import { checkSettings } from './config/check-settings.ts';
import { schema, type FailoverOptions } from './config/schema.ts';
import { readSettings } from './config/settings.ts';
import { HINTED } from './health/circuit.ts';
import type { Change, Condition, HealthKey } from './health/condition.ts';
import { HealthRegistry } from './health/health-registry.ts';
import { Hints } from './health/hints.ts';
import { INSECURE, isRefusal } from './health/reactions.ts';
import { HealthRecorder } from './health/recorder.ts';
import { shareLatencies } from './health/share-latencies.ts';
import { createLimitWatch } from './health/watch-limits.ts';
import { Siblings } from './health/siblings.ts';
import { createMeters, type Meters } from './meters.ts';

const texts = {
  'open': 'a circuit has opened',
  'half-open': 'a circuit is half-open: a probe has succeeded',
  'closed': 'a circuit has closed',
} as const;

const HINT = 'another process has found a target failing: it is probed here before it is used again';

/** No two gateways have the same port, which each of its workers knows. */
const nameGateway = (): string => String((workerData as { readonly port?: number } | null)?.port);

const closeIt = (opened: Hints | Siblings): void => opened.close();

/** The log line for a failure that an operator has to fix. */
const alertOf = (reason: string): string | undefined => {
  if (reason === INSECURE)
    return (
      'no secure connection to a provider: its certificate or TLS is not acceptable. Nothing was sent; probes ' +
      'go on'
    );
  return isRefusal(reason)
    ? 'a provider refuses a credential of the gateway, for this model or (*) for all. Replace it; probes continue'
    : undefined;
};

interface ChangeListenerParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly meters: Meters;
  readonly reporter: Reporter;
  readonly hints: Hints | undefined;
  readonly siblings: Siblings | undefined;
}

/** Sends changes of circuits and cooldowns to the log, the metrics, the admin API and other threads and processes. */
class ChangeListener {
  readonly #parts: ChangeListenerParts;

  constructor(parts: ChangeListenerParts) {
    this.#parts = parts;
  }

  onCircuit(healthKey: HealthKey, change: Change, version: string | undefined): void {
    const { meters, reporter, clock, hints, siblings } = this.#parts;
    const { isNew, from, to, reason, openMs, callers } = change;
    if (from !== to) meters.circuit(healthKey, to);
    const until = openMs === undefined ? undefined : wallTime(clock, openMs);
    reporter.report(omitUndefined({ kind: 'circuit', healthKey, state: to, reason, until, callers }));
    const isLogged = siblings?.logs(healthKey, to) ?? true;
    if (isNew && isLogged) this.#writeLine(healthKey, change);
    // The thread that found it sends it to all others.
    if (siblings?.isTaking === true) return;
    siblings?.changed(healthKey, change, version);
    hints?.changed(healthKey, from, to, callers === undefined);
  }

  onCooldown(condition: Condition, reason: string, milliseconds: number): void {
    const { reporter, clock, siblings } = this.#parts;
    const now = clock.monotonic();
    const callers = condition.affected(({ cooldown }) => cooldown.until > now);
    const until = wallTime(clock, milliseconds);
    reporter.report(omitUndefined({ kind: 'cooling', healthKey: condition.healthKey, reason, until, callers }));
    siblings?.cooled(condition, reason, milliseconds, callers);
  }

  #writeLine(healthKey: HealthKey, { isNew: _isNew, ...change }: Change): void {
    const { log } = this.#parts;
    const { from, to, reason } = change;
    const fields = { ...healthKey, ...change };
    const alert = from === 'closed' ? alertOf(reason) : undefined;
    if (alert !== undefined) log.error(fields, alert);
    else if (to === 'half-open' && reason === HINTED) log.info(fields, HINT);
    else if (to === 'open') log.warn(fields, texts[to]);
    else log.info(fields, texts[to]);
  }
}

/** Tries the next credential or target when one fails, and uses those that fail last: docs/operate/failover.md. */
export default definePlugin<FailoverOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'failover',
  init: { position: 40, comment: 'Tries the next credential or target when one fails.' },
  schema,
  check: checkSettings,

  create: (options, { log, clock, metrics, primary, redis, shared }) => {
    const settings = readSettings(options);
    const random = Math.random;
    const meters = shared('failover/meters', () => createMeters(metrics));
    const registry = shared('failover/health-registry', () => {
      const made = new HealthRegistry(settings.circuit, random);
      if (!isMainThread) shareLatencies(made, primary, clock);
      return made;
    });
    const hints = redis && shared('failover/hints', () => new Hints({ redis, registry, clock }), closeIt);
    // Only workers have siblings: the main thread serves alone.
    const siblings = isMainThread
      ? undefined
      : shared('failover/siblings', () => new Siblings({ registry, clock, gateway: nameGateway() }), closeIt);
    const reporter = new Reporter(primary, log);
    const listener = new ChangeListener({ log, clock, meters, reporter, hints, siblings });
    const router = new Router({ settings, registry, random, log });
    const recorder = new HealthRecorder(settings, (...cooldown) => listener.onCooldown(...cooldown));
    const strategy = new FailoverStrategy({
      settings,
      registry,
      router,
      call: createCall({ recorder, registry, clock, slowMs: settings.circuit.slowMs }),
      budget: new RetryBudget(settings.budget),
      clock,
      random,
      pause,
      // A configuration that never serves an exchange does not change the registry of the one that does.
      onFirstExchange: () => registry.configure(settings.circuit, (...change) => listener.onCircuit(...change)),
      onFallback: meters.fallback,
    });
    return {
      strategy: (exchange, attempt, order) => strategy.run(exchange, attempt, order),
      onResponseHeaders: createLimitWatch({ registry, meters, clock }),
      observe: ({ caller, targets }, { target: id, credential, ending }) => {
        const target = ending === undefined ? undefined : targets.find((each) => each.id === id);
        if (target !== undefined && ending !== undefined)
          recorder.interrupted(registry.health(target, credential), ending, { caller, now: clock.monotonic() });
      },
      explain: createExplain({ settings, registry, router, primary, clock }),
    };
  },
  primary: (_options, services) => createPrimary(services),
});
