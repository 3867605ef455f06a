import type { JsonObject, ConfigPath } from '../../core/index.ts';
import type { Note } from './notes.ts';
import { countOf, numberOf, sectionOf, textOf } from './read.ts';

const HOURS: Readonly<Record<string, number>> = { s: 1 / 3600, m: 1 / 60, h: 1, d: 24, w: 168, mo: 720 };
const calendar: readonly (readonly [hours: number, per: string])[] = [
  [1, 'hour'],
  [24, 'day'],
  [168, 'week'],
];

/** `30d` as the calendar window that holds it. Budgets are counted by the calendar here. */
const windowOf = (duration: string): { readonly per: string; readonly exact: boolean } => {
  const [, amount = '1', unit = 'd'] = /^(\d+)\s*(mo|[smhdw])$/.exec(duration) ?? [];
  const hours = Number(amount) * (HOURS[unit] ?? 24);
  const per = calendar.find(([length]) => hours <= length)?.[1] ?? 'month';
  return {
    per,
    exact:
      calendar.some(([length, name]) => name === per && length === hours) ||
      (per === 'month' && [672, 720, 744].includes(hours)),
  };
};

/** USD: money is counted in nano-dollars, and exactly. */
const LEAST = 1e-9;
const MOST = 9e6;

/** A budget as a limit of money. @param duration absent: it never begins anew there */
export function writeBudget(
  amount: number,
  duration: string | undefined,
  from: ConfigPath,
  to: ConfigPath,
  note: Note,
  more: JsonObject = {},
): readonly JsonObject[] {
  if (amount < LEAST || amount > MOST) {
    note(from, 'A limit of money is more than nothing, and less than ten million USD. It is left out.', to);
    return [];
  }
  if (duration === undefined) {
    note(
      from,
      'The budget never begins anew there; here budgets are counted by the calendar. It is written per month: change it if that is not meant.',
      to,
    );
    return [{ cost: amount, per: 'month', ...more }];
  }
  const { per, exact } = windowOf(duration);
  if (!exact)
    note(
      from,
      `A budget is per hour, day, week or month of the calendar here. "${duration}" is written as per ${per}: adjust the amount if that is too much or too little.`,
      to,
    );
  return [{ cost: amount, per, ...more }];
}

const members = ['max_budget', 'budget_duration', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'];

/** The limits that a section gives: of a key, a user, a team. */
export function readLimitsOf(section: JsonObject, at: ConfigPath, to: ConfigPath, note: Note): readonly JsonObject[] {
  const budget = numberOf(section['max_budget']);
  const [requests, tokens, concurrent] = [
    countOf(section['rpm_limit']),
    countOf(section['tpm_limit']),
    countOf(section['max_parallel_requests']),
  ];
  return [
    ...(requests === undefined ? [] : [{ requests, per: '1m' }]),
    ...(tokens === undefined ? [] : [{ tokens, per: '1m' }]),
    ...(concurrent === undefined ? [] : [{ concurrent }]),
    ...(budget === undefined
      ? []
      : writeBudget(budget, textOf(section['budget_duration']), [...at, 'max_budget'], to, note)),
  ];
}

const sections: Readonly<Record<string, string | undefined>> = {
  default_key_generate_params: undefined,
  upperbound_key_generate_params:
    'It is an upper bound there, for keys that ask for more; here it is what each key gets that says nothing else.',
  default_internal_user_params:
    'It holds for each user there, over all of their keys; here for each key. Give users a project each to count them as one.',
};

export const limitSections: readonly string[] = Object.keys(sections);

/** What each key gets: the first of the sections that says something. */
export function readKeyLimits(
  settings: JsonObject,
  at: ConfigPath,
  note: Note,
  rest: (section: JsonObject, at: ConfigPath, carried: readonly string[]) => void,
): readonly JsonObject[] {
  let limits: readonly JsonObject[] = [];
  for (const [name, difference] of Object.entries(sections)) {
    const section = sectionOf(settings[name]);
    if (Object.keys(section).length === 0) continue;
    const where = [...at, name];
    rest(section, where, members);
    const found = limits.length === 0 ? readLimitsOf(section, where, ['limits'], note) : [];
    if (limits.length > 0 && members.some((member) => section[member] !== undefined))
      note(where, 'Another section gives the limits of keys already; this one is left out.', ['limits']);
    else if (found.length > 0 && difference !== undefined) note(where, difference, ['limits']);
    if (found.length > 0) limits = found;
  }
  return limits;
}

/** `provider_budget_config`: what may be spent with a vendor. @param modelsOf the ids of its models */
export const readProviderBudgets = (
  config: JsonObject,
  at: ConfigPath,
  to: ConfigPath,
  modelsOf: (vendor: string) => readonly string[],
  note: Note,
): readonly JsonObject[] =>
  Object.entries(config).flatMap(([vendor, written]) => {
    const budget = sectionOf(written);
    const amount = numberOf(budget['budget_limit'] ?? budget['max_budget']);
    const models = modelsOf(vendor);
    const from = [...at, vendor];
    if (amount === undefined || models.length === 0) {
      note(
        from,
        amount === undefined
          ? 'The budget has no budget_limit. It is left out.'
          : `No model of "${vendor}" was carried over. The budget is left out.`,
        to,
      );
      return [];
    }
    note(
      from,
      'There, a vendor whose budget is spent gives way to another; here, the limit refuses (429) what is asked of the models that it names.',
      to,
    );
    return writeBudget(amount, textOf(budget['time_period'] ?? budget['budget_duration']), from, to, note, { models });
  });
