import { isObject } from '../../core/api/codec.ts';
import { textOf } from '../shared/read.ts';

/** A value in one of its forms: text, `env.NAME`, or an object that names a variable. */
export const plainText = (value: unknown): string | undefined => {
  if (!isObject(value)) return textOf(value);
  const variable = textOf(value['env_var']);
  return variable === undefined || value['from_env'] === false
    ? textOf(value['value'])
    : `env.${variable.replace(/^env\./, '')}`;
};
