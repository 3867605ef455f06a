import { Router } from '../../../plugins/failover/attempts/router.ts';
import { RetryBudget } from '../../../plugins/failover/attempts/retry-budget.ts';
import { createCall } from '../../../plugins/failover/attempts/call.ts';
import { FailoverStrategy } from '../../../plugins/failover/attempts/strategy.ts';
import type { Change, HealthKey } from '../../../plugins/failover/health/condition.ts';
import { HealthRegistry } from '../../../plugins/failover/health/health-registry.ts';
import { HealthRecorder, type AttemptEnd } from '../../../plugins/failover/health/recorder.ts';
import { schema, type FailoverOptions } from '../../../plugins/failover/config/schema.ts';
import { readSettings, type Settings } from '../../../plugins/failover/config/settings.ts';
import {
  GatewayError,
  type AttemptDetails,
  type Clock,
  type ErrorCode,
  type ErrorDetails,
  type Exchange,
  type FailureClass,
  type JsonObject,
  type Reply,
  type Target,
} from '../../../core/api/index.ts';
import { toGatewayError } from '../../../core/errors/gateway-error.ts';
import { createTestExchange, createTestLog, createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from '../../core/exchange/sample-exchange.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}
export const createTestClock = (): TestClock => {
  let passed = 0;
  return {
    now: () => 1_800_000_000_000 + passed,
    monotonic: () => 5_000_000 + passed,
    advance: (milliseconds) => void (passed += milliseconds),
  };
};

/** The defaults of the schema. */
const defaultsOf = ({ properties }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, JsonObject>>).map(([name, property]) => [
      name,
      property['type'] === 'object' && property['properties'] !== undefined
        ? defaultsOf(property)
        : property['default'],
    ]),
  );
export const optionsOf = (given: JsonObject = {}): FailoverOptions => {
  const defaults = defaultsOf(schema);
  const merged = Object.entries(defaults).map(([name, value]) => [
    name,
    name in given
      ? typeof value === 'object'
        ? { ...(value as object), ...(given[name] as object) }
        : given[name]
      : value,
  ]);
  return Object.fromEntries(merged) as FailoverOptions;
};
export const settingsOf = (given: JsonObject = {}): Settings => readSettings(optionsOf(given));

const codes: Readonly<Record<FailureClass, ErrorCode>> = {
  'transient': 'upstream_error',
  'overloaded': 'upstream_overloaded',
  'rate-limit': 'upstream_rate_limit',
  'quota': 'upstream_quota',
  'credential': 'upstream_credential',
  'model-access': 'upstream_credential',
  'model-gone': 'upstream_model',
  'region': 'upstream_region',
  'timeout': 'upstream_timeout',
  'unsuitable': 'unsupported_parameter',
  'caller-fault': 'invalid_request',
  'unknown': 'upstream_error',
};
/** The error with which an attempt rejects. */
export const failure = (failureClass: FailureClass, details: ErrorDetails = {}): GatewayError =>
  new GatewayError(codes[failureClass], undefined, { failure: failureClass, ...details });

/** Two targets with two credentials each. */
export const twoByTwo: readonly Target[] = [
  createTestTarget('one/a', { credentials: ['key-1', 'key-2'] }),
  createTestTarget('two/b', { credentials: ['key-1', 'key-2'] }),
];

/** The default caller of an exchange. */
export const alice = { key: 'alice', project: 'web', organization: 'acme', models: [] };
/** Another key of the same project. */
export const bob = { ...alice, key: 'bob' };
export const carol = { ...alice, key: 'carol' };

type Answer = GatewayError | 'ok' | ((signal: AbortSignal) => Promise<never> | GatewayError | 'ok');

export interface Fixture {
  readonly clock: TestClock;
  readonly registry: HealthRegistry;
  readonly router: Router;
  readonly recorder: HealthRecorder;
  readonly settings: Settings;
  /** `<target> <credential>`, in order. */
  readonly calls: string[];
  readonly details: (AttemptDetails | undefined)[];
  readonly pauses: number[];
  readonly transitions: (HealthKey & Change)[];
  readonly cooldowns: { readonly healthKey: HealthKey; readonly milliseconds: number }[];
  readonly fallbacks: string[];
  readonly log: ReturnType<typeof createTestLog>;
  /**
   * The results of each candidate, by `<target> <credential>` or by the target alone. The last one repeats; the default
   * is `ok`.
   */
  answers: Readonly<Record<string, readonly Answer[]>>;
  /** How long each call takes, by target. */
  times: Readonly<Record<string, number>>;
  /** An attempt of a caller that ends now. */
  attemptEnd(caller?: typeof alice): AttemptEnd;
  run(more?: Partial<Extract<Exchange, { operation: 'generate' }>>): Promise<Reply | GatewayError>;
  /** Runs an exchange and returns the calls that it made. */
  trace(more?: Partial<Extract<Exchange, { operation: 'generate' }>>): Promise<readonly string[]>;
}

/** The strategy with a clock that pauses advance, and random numbers that a test provides. */
export const createFixture = (
  config: JsonObject = {},
  {
    targets = twoByTwo,
    random = () => 0.5,
  }: { readonly targets?: readonly Target[]; readonly random?: () => number } = {},
): Fixture => {
  const settings = settingsOf({ sticky: false, ...config });
  const clock = createTestClock();
  const calls: string[] = [];
  const details: (AttemptDetails | undefined)[] = [];
  const pauses: number[] = [];
  const transitions: (HealthKey & Change)[] = [];
  const cooldowns: { healthKey: HealthKey; milliseconds: number }[] = [];
  const fallbacks: string[] = [];
  const registry = new HealthRegistry(settings.circuit, random);
  registry.configure(settings.circuit, (healthKey, change) => void transitions.push({ ...healthKey, ...change }));
  const log = createTestLog();
  const router = new Router({ settings, registry, random, log });
  const recorder = new HealthRecorder(
    settings,
    ({ healthKey }, _reason, milliseconds) => void cooldowns.push({ healthKey, milliseconds }),
  );
  const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    pauses.push(milliseconds);
    clock.advance(milliseconds);
    signal.throwIfAborted();
  };
  const onFallback = (...parts: readonly string[]): void => void fallbacks.push(parts.join(' '));
  const call = createCall({ recorder, registry, clock, slowMs: settings.circuit.slowMs });
  const strategy = new FailoverStrategy({
    settings,
    registry,
    router,
    call,
    budget: new RetryBudget(settings.budget),
    clock,
    random,
    pause,
    onFirstExchange: () => {},
    onFallback,
  });
  const asked = new Map<string, number>();

  const fixture: Fixture = {
    clock,
    registry,
    router,
    recorder,
    settings,
    calls,
    details,
    pauses,
    transitions,
    cooldowns,
    fallbacks,
    log,
    answers: {},
    times: {},
    attemptEnd: (caller = alice) => ({ caller, now: clock.monotonic() }),
    run: (more = {}) => {
      const exchange = createTestExchange({ targets, startedAt: clock.monotonic(), ...more });
      return strategy
        .run(exchange, async (target, credential, given) => {
          const name = `${target.id} ${credential}`;
          calls.push(name);
          details.push(given);
          clock.advance(fixture.times[target.id] ?? 0);
          const listed = fixture.answers[name] ?? fixture.answers[target.id] ?? [];
          const key = fixture.answers[name] === undefined ? target.id : name;
          const index = asked.get(key) ?? 0;
          asked.set(key, index + 1);
          const chosen = listed[Math.min(index, listed.length - 1)] ?? 'ok';
          const answer = typeof chosen === 'function' ? await chosen(given?.signal ?? exchange.signal) : chosen;
          if (answer !== 'ok') throw answer;
          return createReply(target);
        })
        .catch(toGatewayError);
    },
    trace: async (more) => {
      const before = calls.length;
      await fixture.run(more);
      return calls.slice(before);
    },
  };
  return fixture;
};
