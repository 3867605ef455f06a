import { createArrange, type Arrange } from '../../../plugins/failover/attempts/router.ts';
import { createBudget } from '../../../plugins/failover/attempts/retry-budget.ts';
import { createCall } from '../../../plugins/failover/attempts/call.ts';
import { createStrategy } from '../../../plugins/failover/attempts/strategy.ts';
import type { Change, Subject } from '../../../plugins/failover/health/condition.ts';
import { createRoster, type Roster } from '../../../plugins/failover/health/health-registry.ts';
import { createLearn, type Facts, type Learn } from '../../../plugins/failover/health/recorder.ts';
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
} from '../../../core/index.ts';
import { toGatewayError } from '../../../core/errors/gateway-error.ts';
import { createExchange, createLogList, createReply, createTarget } from '../../core/exchange/sample-exchange.ts';

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

/** What the schema fills in. */
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
/** What an attempt rejects with. */
export const failure = (failureClass: FailureClass, details: ErrorDetails = {}): GatewayError =>
  new GatewayError(codes[failureClass], undefined, { failure: failureClass, ...details });

/** Two targets with two credentials each. */
export const twoByTwo: readonly Target[] = [
  createTarget('one/a', { credentials: ['key-1', 'key-2'] }),
  createTarget('two/b', { credentials: ['key-1', 'key-2'] }),
];

/** The caller of every exchange that names no other. */
export const alice = { key: 'alice', project: 'web', organization: 'acme', models: [] };
/** Another key of the same project. */
export const bob = { ...alice, key: 'bob' };
export const carol = { ...alice, key: 'carol' };

type Answer = GatewayError | 'ok' | ((signal: AbortSignal) => Promise<never> | GatewayError | 'ok');

export interface Play {
  readonly clock: TestClock;
  readonly roster: Roster;
  readonly arrange: Arrange;
  readonly learn: Learn;
  readonly settings: Settings;
  /** `<target> <credential>`, in order. */
  readonly calls: string[];
  readonly details: (AttemptDetails | undefined)[];
  readonly pauses: number[];
  readonly transitions: (Subject & Change)[];
  readonly rests: { readonly subject: Subject; readonly milliseconds: number }[];
  readonly fallbacks: string[];
  readonly log: ReturnType<typeof createLogList>;
  /** What each candidate answers, the last for ever; `ok` where nothing is said. By `<target> <credential>`, or the target alone. */
  answers: Readonly<Record<string, readonly Answer[]>>;
  /** How long each call takes, by target. */
  times: Readonly<Record<string, number>>;
  /** What is learned from an attempt that ends now. */
  facts(caller?: typeof alice): Facts;
  run(more?: Partial<Extract<Exchange, { operation: 'generate' }>>): Promise<Reply | GatewayError>;
  /** The same, and only what was called by it. */
  trail(more?: Partial<Extract<Exchange, { operation: 'generate' }>>): Promise<readonly string[]>;
}

/** The strategy with a clock that pauses move, and random figures that a test gives. */
export const createPlay = (
  config: JsonObject = {},
  {
    targets = twoByTwo,
    random = () => 0.5,
  }: { readonly targets?: readonly Target[]; readonly random?: () => number } = {},
): Play => {
  const settings = settingsOf({ sticky: false, ...config });
  const clock = createTestClock();
  const calls: string[] = [];
  const details: (AttemptDetails | undefined)[] = [];
  const pauses: number[] = [];
  const transitions: (Subject & Change)[] = [];
  const rests: { subject: Subject; milliseconds: number }[] = [];
  const fallbacks: string[] = [];
  const roster = createRoster(settings.circuit, random);
  roster.adopt(settings.circuit, (subject, change) => void transitions.push({ ...subject, ...change }));
  const log = createLogList();
  const arrange = createArrange({ settings, roster, random, log });
  const learn = createLearn(
    settings,
    ({ subject }, _reason, milliseconds) => void rests.push({ subject, milliseconds }),
  );
  const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    pauses.push(milliseconds);
    clock.advance(milliseconds);
    signal.throwIfAborted();
  };
  const noteFallback = (...words: readonly string[]): void => void fallbacks.push(words.join(' '));
  const call = createCall({ learn, roster, clock, slowMs: settings.circuit.slowMs });
  const strategy = createStrategy({
    settings,
    roster,
    arrange,
    call,
    budget: createBudget(settings.budget),
    clock,
    random,
    pause,
    noteFallback,
  });
  const asked = new Map<string, number>();

  const play: Play = {
    clock,
    roster,
    arrange,
    learn,
    settings,
    calls,
    details,
    pauses,
    transitions,
    rests,
    fallbacks,
    log,
    answers: {},
    times: {},
    facts: (caller = alice) => ({ caller, now: clock.monotonic() }),
    run: (more = {}) => {
      const exchange = createExchange({ targets, startedAt: clock.monotonic(), ...more });
      return strategy(exchange, async (target, credential, given) => {
        const name = `${target.id} ${credential}`;
        calls.push(name);
        details.push(given);
        clock.advance(play.times[target.id] ?? 0);
        const listed = play.answers[name] ?? play.answers[target.id] ?? [];
        const key = play.answers[name] === undefined ? target.id : name;
        const index = asked.get(key) ?? 0;
        asked.set(key, index + 1);
        const chosen = listed[Math.min(index, listed.length - 1)] ?? 'ok';
        const answer = typeof chosen === 'function' ? await chosen(given?.signal ?? exchange.signal) : chosen;
        if (answer !== 'ok') throw answer;
        return createReply(target);
      }).catch(toGatewayError);
    },
    trail: async (more) => {
      const before = calls.length;
      await play.run(more);
      return calls.slice(before);
    },
  };
  return play;
};
