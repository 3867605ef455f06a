import type { JsonObject } from '../../core/api/index.ts';
import { readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { writeBudget } from '../shared/budgets.ts';
import type { Note } from '../shared/notes.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';

/** Where the limits of a part of the source are written. */
interface LimitPaths {
  readonly at: ConfigPath;
  readonly to: ConfigPath;
  /** The models that they apply to; absent: all. */
  readonly models?: readonly string[];
}

/** Budgets and rate limits, which other parts of the source refer to. */
export interface Limits {
  /** @param owner the member of a budget that refers to the part, such as `team_id` */
  of(part: JsonObject, owner: string, paths: LimitPaths): readonly JsonObject[];
}

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  Y: 31_536_000,
};
/** The longest sliding window. */
const LONGEST = 31 * 86_400;

/** Formats a window, in the largest unit that expresses it. */
const formatWindow = (seconds: number): string => {
  const unit = (['d', 'h', 'm'] as const).find((name) => seconds % (SECONDS[name] ?? 1) === 0) ?? 's';
  return `${seconds / (SECONDS[unit] ?? 1)}${unit}`;
};

const writeWindow = (written: unknown, from: ConfigPath, to: ConfigPath, note: Note): string => {
  const [, amount = '1', unit = 'm'] = /^(\d+)([smhdwMY])$/.exec(textOf(written) ?? '') ?? [];
  const seconds = Math.max(1, Number(amount)) * (SECONDS[unit] ?? 60);
  if (seconds > LONGEST)
    note(from, `A window has at most 31 days here. "${String(written)}" is imported as 31d: adjust the amount.`, to);
  return formatWindow(Math.min(seconds, LONGEST));
};

/** The order of models does not matter, nor how often one is named. */
const identify = ({ requests, tokens, per, models, cost }: JsonObject): string => {
  const names = Array.isArray(models) ? [...new Set(models)].toSorted() : models;
  return JSON.stringify([requests !== undefined, tokens !== undefined, cost !== undefined, per, names]);
};

/** Of limits with the same unit, window and models, a list can contain only the smallest. */
export const tighten = (limits: readonly JsonObject[]): readonly JsonObject[] => {
  const amount = ({ requests, tokens, cost }: JsonObject): number => Number(requests ?? tokens ?? cost);
  return [...Map.groupBy(limits, identify).values()].flatMap((alike): readonly JsonObject[] =>
    alike.toSorted((one, other) => amount(one) - amount(other)).slice(0, 1),
  );
};

interface Entry {
  readonly entry: JsonObject;
  readonly at: ConfigPath;
}

const UNITS = { requests: 'request', tokens: 'token' } as const;

const writeRate = ({ entry, at }: Entry, { to, models }: LimitPaths, note: Note): readonly JsonObject[] =>
  Object.entries(UNITS).flatMap(([unit, prefix]) => {
    const amount = countOf(entry[`${prefix}_max_limit`]);
    if (amount === undefined) return [];
    const member = `${prefix}_reset_duration`;
    const per = writeWindow(entry[member], [...at, member], to, note);
    return [{ [unit]: amount, per, ...(models === undefined ? {} : { models }) }];
  });

const writeCost = ({ entry, at }: Entry, { to, models }: LimitPaths, note: Note): readonly JsonObject[] => {
  const amount = numberOf(entry['max_limit']);
  if (amount === undefined) return [];
  const duration = textOf(entry['reset_duration']) ?? '1M';
  return writeBudget(amount, duration, at, to, note, models === undefined ? {} : { models });
};

export function createLimits(source: JsonObject, note: Note): Limits {
  const governance = readObject(source['governance']);
  const entriesOf = (name: string): readonly Entry[] =>
    readList(governance[name]).map((entry, index) => ({ entry: readObject(entry), at: ['governance', name, index] }));
  const [budgets, rates] = [entriesOf('budgets'), entriesOf('rate_limits')];
  const refer = (all: readonly Entry[], ids: readonly unknown[], from: ConfigPath, to: ConfigPath): readonly Entry[] =>
    ids.flatMap((id) => {
      const name = textOf(id);
      if (name === undefined) return [];
      const found = all.find(({ entry }) => entry['id'] === name);
      if (found === undefined) note(from, `"${name}" is not in the file, so this limit is left out.`, to);
      return found ?? [];
    });
  return {
    of: (part, owner, paths) => {
      const { at, to } = paths;
      const id = textOf(part['id']);
      const inline = (name: string): readonly Entry[] =>
        readList(part[name]).map((entry, index) => ({ entry: readObject(entry), at: [...at, name, index] }));
      const ownBudgets = [
        ...refer(budgets, [part['budget_id']], [...at, 'budget_id'], to),
        ...budgets.filter(({ entry }) => id !== undefined && textOf(entry[owner]) === id),
        ...inline('budgets'),
      ];
      const ids = [part['rate_limit_id'], ...readList(part['rate_limit_ids'])];
      const ownRates = [...refer(rates, ids, [...at, 'rate_limit_id'], to), ...inline('rate_limits')];
      return tighten([
        ...ownRates.flatMap((entry) => writeRate(entry, paths, note)),
        ...ownBudgets.flatMap((entry) => writeCost(entry, paths, note)),
      ]);
    },
  };
}
