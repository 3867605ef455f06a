import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { MisuseError } from '../command.ts';
import type { settingOptions } from '../options/keys.ts';
import { parseLimit } from './limit-notation.ts';

/** The values of the settings of a key. */
export type SettingValues = {
  readonly [Name in keyof typeof settingOptions]?: (typeof settingOptions)[Name] extends { readonly multiple: true }
    ? string[] | undefined
    : string | undefined;
};

/** Splits a list of patterns: `openai/*,anthropic/*`. */
export const splitList = (text: string): readonly string[] => text.split(',').map((part) => part.trim());

/** Reads `team=search` parts. @param where the option or the column @throws MisuseError */
export const parsePairs = (where: string, parts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parts.map((part) => {
      const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
      if (name === undefined || value === undefined)
        throw new MisuseError(`${where} must look like NAME=VALUE, not "${part}".`);
      return [name, value];
    }),
  );

const isPolicy = (word: string): boolean => word === 'drop' || word === 'refuse';

/**
 * Reads `hostedTools` from words: tools that can run at vendors, or `none`, and `drop` or `refuse` for others. Wrong
 * words are left to the validation.
 */
export function parseHostedTools(words: readonly string[]): unknown {
  const [otherwise, ...more] = words.filter(isPolicy);
  const allow = words.filter((word) => !isPolicy(word) && word !== 'none');
  if (more.length > 0) throw new MisuseError('Hosted tools are dropped or refused, not both: give drop or refuse.');
  if (allow.length === 0 && !words.includes('none')) return otherwise;
  return otherwise === undefined ? allow : { allow, otherwise };
}

/** The settings in the form of the admin API. @throws MisuseError */
export const readSettings = (values: SettingValues): JsonObject =>
  omitUndefined({
    models: values.models === undefined ? undefined : splitList(values.models),
    limits: values.limit?.map((text) => parseLimit(text)),
    losses: values.losses,
    vendorState: values['vendor-state'],
    costHeaders: values['cost-headers'],
    hostedTools: values['hosted-tools'] === undefined ? undefined : parseHostedTools(splitList(values['hosted-tools'])),
    tags: values.tags === undefined ? undefined : parsePairs('--tags', splitList(values.tags)),
    metadata: values.metadata === undefined ? undefined : parsePairs('--metadata', values.metadata),
    owner: values.owner,
    expires: values.expires,
  });
