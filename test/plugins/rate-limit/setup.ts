import type { PrimaryMessage } from '../../../plugins/rate-limit/primary-link.ts';
import rateLimit from '../../../plugins/rate-limit/index.ts';
import { MemoryStore } from '../../../plugins/rate-limit/store/memory-store.ts';
import type { RateLimitOptions } from '../../../plugins/rate-limit/schema.ts';
import type { Alert } from '../../../core/contracts/services.ts';
import {
  GatewayError,
  type Admission,
  type Caller,
  type CallerScope,
  type Exchange,
  type ExchangeOf,
  type Limit,
  type Metrics,
  type Outcome,
  type PluginInstance,
  type PrimaryInstance,
  type Redis,
  type Usage,
} from '../../../core/api/index.ts';
import {
  createTestExchange,
  createTestLog,
  createTestOutcome,
  createTestPrimaryServices,
  createTestServices,
  type LogLine,
} from '../../../core/testing/index.ts';

/** 21 November 2026, 10:00 UTC, a Saturday. */
export const NOON = Date.UTC(2026, 10, 21, 10);

/** A clock that the test advances. */
export interface TestClock {
  now(): number;
  monotonic(): number;
  advance(milliseconds: number): void;
}
export const createTestClock = (): TestClock => {
  let passed = 0;
  return {
    now: () => NOON + passed,
    monotonic: () => 1_000_000 + passed,
    advance: (milliseconds) => void (passed += milliseconds),
  };
};

export interface TestMetrics extends Metrics {
  /** `name{value,value}` and the sum of what was counted there, or the last value of a gauge. */
  readonly values: Map<string, number>;
}
export const createTestMetrics = (): TestMetrics => {
  const values = new Map<string, number>();
  const metric = (name: string, update: (old: number, value: number) => number) => ({
    bind: (labels: readonly string[]) => (value: number) => {
      const key = `${name.replace('koine_ratelimit_', '')}{${labels.join(',')}}`;
      values.set(key, update(values.get(key) ?? 0, value));
    },
  });
  const add = (old: number, value: number): number => old + value;
  return {
    ...createTestServices().metrics,
    values,
    counter: (name) => metric(name, add),
    histogram: (name) => metric(name, add),
    gauge: (name) => metric(name, (_old, value) => value),
  };
};

export const limit = (unit: Limit['unit'], amount: number, more: Partial<Limit> = {}): Limit => ({
  unit,
  amount,
  models: [],
  enforce: true,
  ...(unit === 'concurrent' ? {} : { per: unit === 'cost' ? 'month' : 60_000 }),
  ...more,
});

export const alice: Caller = { key: 'alice', project: 'web', organization: 'acme', models: [] };

/** Limits of a caller, by level. */
export interface TestLimits {
  readonly key?: readonly Limit[];
  readonly project?: readonly Limit[];
  readonly organization?: readonly Limit[];
}
export const scopesOf = ({ key, project, organization }: Caller, limits: TestLimits): readonly CallerScope[] => [
  { scope: 'key', path: [organization, project, key], limits: limits.key ?? [] },
  { scope: 'project', path: [organization, project], limits: limits.project ?? [] },
  { scope: 'organization', path: [organization], limits: limits.organization ?? [] },
];

export const usageOf = (input: number, output: number): Usage => ({
  inputUncached: input,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  reasoning: 0,
  source: 'provider',
});

let ids = 0;
/** An exchange as a plugin sees it. By default its estimate is 110 tokens. */
export const createExchange = (more: Partial<ExchangeOf<'generate'>> = {}): Exchange =>
  createTestExchange({
    id: `exchange-${(ids += 1)}`,
    caller: alice,
    model: 'openai/gpt',
    targets: [],
    estimate: { inputTokens: 10, outputTokens: 100, declared: true },
    ...more,
  });

const attempt = {
  target: 'openai/gpt',
  credential: 'default',
  lane: 'native',
  committed: true,
  status: 200,
  ms: 1,
  losses: [],
} as const;

/** How an exchange ended. @param usage undefined: nothing was used */
export const createOutcome = (usage?: Usage, more: Partial<Outcome> = {}): Outcome =>
  createTestOutcome({ usage, attempts: [attempt], ...more });

export interface TestLimiter {
  readonly plugin: PluginInstance;
  readonly primary: PrimaryInstance;
  readonly clock: TestClock;
  readonly metrics: Map<string, number>;
  readonly lines: readonly LogLine[];
  /** The calls that the primary instance and the store of this host got: `baseline`, `reserve`, `settle`, ... */
  readonly calls: string[];
  /** From now on both throw this at every call. */
  breakLocal(error: Error): void;
  /** From now on they fail at this call; undefined: at none. */
  failOn(call: string | undefined): void;
  /** @throws what the plugin throws */
  admit(exchange?: Exchange): Promise<Admission | undefined>;
  /** The error of an exchange that is refused. */
  refused(exchange?: Exchange): Promise<GatewayError>;
}

export const defaults: RateLimitOptions = {
  lease: '60s',
  onStoreFailure: 'local',
  replicas: 1,
  factor: 1,
  undeclaredOutput: 4096,
  timeZone: 'UTC',
};

/** Calls `note` before every call of the store. */
const watchStore = (store: MemoryStore, note: (call: string) => void): void => {
  const { reserve, settle, refresh, peek } = store;
  const watch =
    <Words extends readonly unknown[], Result>(call: string, method: (...words: Words) => Result) =>
    (...words: Words): Result => {
      note(call);
      return Reflect.apply(method, store, words);
    };
  Object.assign(store, {
    reserve: watch('reserve', reserve),
    settle: watch('settle', settle),
    refresh: watch('refresh', refresh),
    peek: watch('peek', peek),
  });
};

/** The plugin with both instances in this process, and with a clock of the test. @param worker the thread it is in */
export const createLimiter = async (
  limits: TestLimits,
  options: Partial<RateLimitOptions> = {},
  redis?: Redis,
  worker = 0,
): Promise<TestLimiter> => {
  const clock = createTestClock();
  const metrics = createTestMetrics();
  const log = createTestLog();
  const calls: string[] = [];
  let broken: Error | undefined;
  let failing: string | undefined;
  const services = {
    clock,
    metrics,
    log,
    tenancy: { scopes: (caller: Caller) => scopesOf(caller, limits) },
    redis,
  };
  const config = { ...defaults, ...options };
  const alerted = new Set<string>();
  const alert = async ({ event, text, key, fields }: Alert): Promise<boolean> => {
    if (alerted.has(key)) return false;
    alerted.add(key);
    services.log.warn({ event, ...fields }, text);
    return true;
  };
  const primary = (await rateLimit.primary?.(config, createTestPrimaryServices({ ...services, alert }))) ?? {};
  const note = (call: string): void => {
    calls.push(call);
    if (broken !== undefined) throw broken;
    if (failing === call) throw new Error(`no ${failing} now`);
  };
  const call = (message: unknown): unknown => {
    note((message as PrimaryMessage).call);
    return primary.handle?.(message, worker);
  };
  const shared = <T>(_key: string, create: () => T): T => {
    const created = create();
    if (created instanceof MemoryStore) watchStore(created, note);
    return created;
  };
  const plugin = await rateLimit.create(config, createTestServices({ ...services, shared, primary: { call } }));
  calls.length = 0;
  const admit = async (exchange = createExchange()): Promise<Admission | undefined> => plugin.admit?.(exchange);
  return {
    plugin,
    primary,
    clock,
    metrics: metrics.values,
    lines: log.lines,
    calls,
    breakLocal: (error) => void (broken = error),
    failOn: (call) => void (failing = call),
    admit,
    refused: async (exchange) => {
      try {
        await admit(exchange);
      } catch (error) {
        if (GatewayError.is(error)) return error;
        throw error;
      }
      throw new Error('it was admitted');
    },
  };
};
