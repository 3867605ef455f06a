import type { JsonObject } from '../../core/api/index.ts';
import { readList } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note } from './notes.ts';

const HOURS: Readonly<Record<string, number>> = {
  s: 1 / 3600,
  m: 1 / 60,
  h: 1,
  d: 24,
  w: 168,
  mo: 720,
  M: 720,
  Q: 2160,
  Y: 8760,
};
const calendar: readonly (readonly [hours: number, per: string])[] = [
  [1, 'hour'],
  [24, 'day'],
  [168, 'week'],
];

/** The calendar period that contains a duration such as `30d`. Our budgets are per calendar period. */
const windowOf = (duration: string): { readonly per: string; readonly exact: boolean } => {
  const [, amount = '1', unit = 'd'] = /^(\d+)\s*(mo|[smhdwMQY])$/.exec(duration) ?? [];
  const hours = Number(amount) * (HOURS[unit] ?? 24);
  const per = calendar.find(([length]) => hours <= length)?.[1] ?? 'month';
  return {
    per,
    exact:
      calendar.some(([length, name]) => name === per && length === hours) ||
      (per === 'month' && [672, 720, 744].includes(hours)),
  };
};

/** The bounds of a budget in USD, which is counted exactly, in nano-dollars. */
const MIN_BUDGET = 1e-9;
const MAX_BUDGET = 9e6;

/** Converts a budget to a limit of cost. @param duration such as `30d` */
export function writeBudget(
  amount: number,
  duration: string,
  from: ConfigPath,
  to: ConfigPath,
  note: Note,
  more: JsonObject = {},
): readonly JsonObject[] {
  if (amount < MIN_BUDGET || amount > MAX_BUDGET) {
    note(from, 'A budget must be above 0 and below ten million USD. It is left out.', to);
    return [];
  }
  const { per, exact } = windowOf(duration);
  if (!exact)
    note(
      from,
      `Budgets are per calendar hour, day, week or month here. "${duration}" is imported as per ${per}: ` +
        'adjust the amount if needed.',
      to,
    );
  return [{ cost: amount, per, ...more }];
}

/** Combines budgets for the same period and models, which a list of limits can contain only once. */
export const combineBudgets = (
  budgets: readonly JsonObject[],
  combine: (one: number, other: number) => number,
): readonly JsonObject[] => {
  const combined = new Map<string, JsonObject>();
  for (const budget of budgets) {
    const identity = JSON.stringify([budget['per'], readList(budget['models']).map(String).toSorted()]);
    const earlier = combined.get(identity);
    const merged =
      earlier === undefined ? budget : { ...earlier, cost: combine(Number(earlier['cost']), Number(budget['cost'])) };
    combined.set(identity, merged);
  }
  return [...combined.values()];
};

export const addBudgets = (one: number, other: number): number =>
  Math.min(MAX_BUDGET, Number((one + other).toFixed(9)));
