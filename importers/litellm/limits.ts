import type { JsonObject } from '../../core/api/index.ts';
import { readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { writeBudget } from '../shared/budgets.ts';
import type { Note } from '../shared/notes.ts';
import { countOf, numberOf, textOf } from '../shared/read.ts';

/** @param duration absent: LiteLLM never resets the budget */
export function readBudget(
  amount: number,
  duration: string | undefined,
  from: ConfigPath,
  to: ConfigPath,
  note: Note,
  more: JsonObject = {},
): readonly JsonObject[] {
  const written = writeBudget(amount, duration ?? '1mo', from, to, note, more);
  if (duration === undefined && written.length > 0)
    note(
      from,
      'LiteLLM never resets this budget. ' +
        'Here budgets are per calendar period, so it is imported as a monthly one: change the period if needed.',
      to,
    );
  return written;
}

const members = ['max_budget', 'budget_duration', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'];

/** The limits in a section about a key, a user or a team. */
function readLimitsOf(section: JsonObject, at: ConfigPath, to: ConfigPath, note: Note): readonly JsonObject[] {
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
      : readBudget(budget, textOf(section['budget_duration']), [...at, 'max_budget'], to, note)),
  ];
}

const sections: Readonly<Record<string, string | undefined>> = {
  default_key_generate_params: undefined,
  upperbound_key_generate_params:
    'In LiteLLM this is an upper bound for new keys. Here it is the default limit of each key.',
  default_internal_user_params:
    'In LiteLLM this applies to each user, across all of their keys. Here it applies to each key. ' +
    'To limit users, give each a project.',
};

export const limitSections: readonly string[] = Object.keys(sections);

/** The default limits of keys, from the first section that has any. */
export function readKeyLimits(
  settings: JsonObject,
  at: ConfigPath,
  note: Note,
  noteUnsupported: (section: JsonObject, at: ConfigPath, carried: readonly string[]) => void,
): readonly JsonObject[] {
  let limits: readonly JsonObject[] = [];
  for (const [name, difference] of Object.entries(sections)) {
    const section = readObject(settings[name]);
    if (Object.keys(section).length === 0) continue;
    const where = [...at, name];
    noteUnsupported(section, where, members);
    const found = limits.length === 0 ? readLimitsOf(section, where, ['limits'], note) : [];
    if (limits.length > 0 && members.some((member) => section[member] !== undefined))
      note(where, 'The limits of keys are taken from another section. This one is left out.', ['limits']);
    else if (found.length > 0 && difference !== undefined) note(where, difference, ['limits']);
    if (found.length > 0) limits = found;
  }
  return limits;
}

/**
 * Reads `provider_budget_config`, the budgets of vendors.
 * @param modelsOf returns the ids of the models of a vendor
 */
export const readProviderBudgets = (
  config: JsonObject,
  at: ConfigPath,
  to: ConfigPath,
  modelsOf: (vendor: string) => readonly string[],
  note: Note,
): readonly JsonObject[] =>
  Object.entries(config).flatMap(([vendor, written]) => {
    const budget = readObject(written);
    const amount = numberOf(budget['budget_limit'] ?? budget['max_budget']);
    const models = modelsOf(vendor);
    const from = [...at, vendor];
    if (amount === undefined || models.length === 0) {
      note(
        from,
        amount === undefined
          ? 'The budget has no budget_limit. It is left out.'
          : `No model of "${vendor}" was imported. The budget is left out.`,
        to,
      );
      return [];
    }
    note(
      from,
      'LiteLLM switches to another vendor when this budget is spent. ' +
        'Here, requests for the listed models are refused with 429.',
      to,
    );
    return readBudget(amount, textOf(budget['time_period'] ?? budget['budget_duration']), from, to, note, { models });
  });
