import { allowsModel, readDuration, type CheckedCatalog, type OptionFinding } from '../../core/index.ts';
import type { FailoverOptions, ModelOptions, Routing } from './schema.ts';

/** The configuration in milliseconds. */
export interface Settings {
  readonly retries: number;
  readonly attempts: number;
  readonly deadlineMs: number;
  readonly waitMs: number;
  readonly backoff: { readonly baseMs: number; readonly capMs: number };
  readonly budget: { readonly share: number; readonly free: number };
  readonly cooldown: { readonly rateLimitMs: number; readonly quotaMs: number };
  readonly circuit: CircuitRules;
  readonly spareBelow: number;
  readonly routing: Routing;
  readonly sticky: boolean;
  readonly models: Readonly<Record<string, ModelOptions>>;
  readonly adviseNoRetry: boolean;
}
export interface CircuitRules {
  readonly windowMs: number;
  readonly calls: number;
  readonly failures: number;
  readonly openMs: number;
  readonly longestMs: number;
  readonly probes: number;
}

export const readSettings = ({ deadline, wait, backoff, cooldown, circuit, ...others }: FailoverOptions): Settings => ({
  ...others,
  deadlineMs: readDuration(deadline),
  waitMs: readDuration(wait),
  backoff: { baseMs: readDuration(backoff.base), capMs: readDuration(backoff.cap) },
  cooldown: { rateLimitMs: readDuration(cooldown.rateLimit), quotaMs: readDuration(cooldown.quota) },
  circuit: {
    windowMs: readDuration(circuit.window),
    calls: circuit.calls,
    failures: circuit.failures,
    openMs: readDuration(circuit.open),
    longestMs: readDuration(circuit.longest),
    probes: circuit.probes,
  },
});

/** Node's timers take 32 bits: a longer one would fire at once. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_TIMER = 2_147_483_647;

const isAbove = (one: string, other: string): boolean => readDuration(one) > readDuration(other);

/** What the schema cannot say: lengths of time that no timer can wait for, or that do not go together, and choices for models that are not there. */
export const checkSettings = ({ deadline, wait, backoff, circuit, models }: FailoverOptions, catalog: CheckedCatalog): readonly OptionFinding[] => {
  const timers: readonly (readonly [path: readonly string[], text: string])[] = [[['deadline'], deadline], [['wait'], wait], [['backoff', 'cap'], backoff.cap]];
  return [
    ...timers.filter(([, text]) => readDuration(text) > LONGEST_TIMER).map(([path]) => ({ path, message: `${path.join('.')} must be at most 596h.` })),
    ...(readDuration(deadline) === 0 ? [{ path: ['deadline'], message: 'deadline must be at least 1ms: with 0 every request would be given up at once.' }] : []),
    ...(readDuration(circuit.window) === 0 ? [{ path: ['circuit', 'window'], message: 'circuit.window must be at least 1ms: in no time nothing is counted.' }] : []),
    ...(isAbove(backoff.base, backoff.cap) ? [{ path: ['backoff', 'base'], message: `backoff.base must not be above backoff.cap, which is ${backoff.cap}.` }] : []),
    ...(isAbove(circuit.open, circuit.longest) ? [{ path: ['circuit', 'open'], message: `circuit.open must not be above circuit.longest, which is ${circuit.longest}.` }] : []),
    ...Object.keys(models)
      .filter((pattern) => !catalog.models.some((id) => allowsModel([pattern], id)))
      .map((pattern) => ({ path: ['models', pattern], severity: 'warning' as const, message: `No model has a name like ${JSON.stringify(pattern)}.` })),
  ];
};
