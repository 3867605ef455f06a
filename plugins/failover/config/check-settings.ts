import { allowsModel, readDuration, type CheckedCatalog, type OptionFinding } from '../../../core/api/index.ts';
import { overlapsWildcard } from '../../../core/api/internal.ts';
import type { FailoverOptions } from './schema.ts';

/**
 * Timers of Node have 32 bits: a longer one fires at once.
 * https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
const LONGEST_TIMER = 2_147_483_647;

/** Lengths of time that are too long for a timer, or zero. */
const checkLengths = ({ deadline, moveOn, wait, backoff, circuit }: FailoverOptions): readonly OptionFinding[] => {
  const timers: readonly (readonly [path: readonly string[], text: string])[] = [
    [['deadline'], deadline],
    [['wait'], wait],
    [['backoff', 'cap'], backoff.cap],
  ];
  const positive: readonly (readonly [path: readonly string[], text: string, result: string])[] = [
    [['deadline'], deadline, 'every request would fail at once'],
    [['moveOn', 'streamed'], moveOn.streamed, 'only the last target could respond'],
    [['moveOn', 'plain'], moveOn.plain, 'only the last target could respond'],
    [['circuit', 'window'], circuit.window, 'nothing would be counted'],
    [['circuit', 'open'], circuit.open, 'every call would be a probe'],
  ];
  return [
    ...timers
      .filter(([, text]) => readDuration(text) > LONGEST_TIMER)
      .map(([path]) => ({ path, message: `${path.join('.')} must be at most 596h.` })),
    ...positive
      .filter(([, text]) => readDuration(text) === 0)
      .map(([path, , result]) => ({ path, message: `${path.join('.')} must be at least 1ms: with 0 ${result}.` })),
  ];
};

/** Lengths of time that contradict each other. */
const checkPairs = ({ backoff, circuit }: FailoverOptions): readonly OptionFinding[] => {
  const pairs: readonly (readonly [path: readonly string[], text: string, limit: string, of: string])[] = [
    [['backoff', 'base'], backoff.base, 'backoff.cap', backoff.cap],
    [['circuit', 'open'], circuit.open, 'circuit.longest', circuit.longest],
  ];
  return pairs
    .filter(([, text, , limit]) => readDuration(text) > readDuration(limit))
    .map(([path, , of, limit]) => ({ path, message: `${path.join('.')} must not be above ${of}, which is ${limit}.` }));
};

/** A timeout that never expires, because the exchange or its attempt ends first. */
const checkTimeouts = ({ deadline }: FailoverOptions, { timeouts = {} }: CheckedCatalog): readonly OptionFinding[] => {
  const [model, ...more] = Object.keys(timeouts).filter((id) => {
    const { targets = 0, firstByteMs = 0 } = timeouts[id] ?? {};
    return targets > 1 && firstByteMs >= readDuration(deadline);
  });
  if (model === undefined) return [];
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const message =
    `deadline (${deadline}) is not above timeouts.firstByte of ${JSON.stringify(model)}${others}, ` +
    'which has several targets: that timeout never takes effect. Set a longer deadline, or a shorter firstByte.';
  return [{ path: ['deadline'], severity: 'warning', message }];
};

/** Names in `weights` that no target of the models has: they get no share. */
const checkWeights = ({ models }: FailoverOptions, catalog: CheckedCatalog): readonly OptionFinding[] =>
  Object.entries(models).flatMap(([pattern, { weights = {} }]) => {
    const ids = catalog.models.filter((id) => allowsModel([pattern], id) || overlapsWildcard(id, pattern));
    const targets = ids.flatMap((id) => catalog.targets?.[id] ?? []);
    if (targets.length === 0) return [];
    const names = new Set(targets.flatMap((target) => [target, target.slice(0, target.indexOf('/'))]));
    const isKnown = (name: string): boolean =>
      names.has(name) || targets.some((target) => target.includes('*') && allowsModel([target], name));
    return Object.keys(weights)
      .filter((name) => !isKnown(name))
      .map((name) => ({
        path: ['models', pattern, 'weights', name],
        severity: 'warning' as const,
        message:
          `No target of ${JSON.stringify(pattern)} is ${JSON.stringify(name)}, so this weight has no effect. ` +
          `Its targets are ${[...new Set(targets)].join(', ')}.`,
      }));
  });

/** Checks what the schema cannot: lengths of time that do not fit together, and patterns that match no model. */
export const checkSettings = (options: FailoverOptions, catalog: CheckedCatalog): readonly OptionFinding[] => [
  ...checkLengths(options),
  ...checkPairs(options),
  ...checkTimeouts(options, catalog),
  ...checkWeights(options, catalog),
  ...Object.keys(options.models)
    .filter((pattern) => !catalog.models.some((id) => allowsModel([pattern], id) || overlapsWildcard(id, pattern)))
    .map((pattern) => ({
      path: ['models', pattern],
      severity: 'warning' as const,
      message: `No model has a name like ${JSON.stringify(pattern)}.`,
    })),
];
