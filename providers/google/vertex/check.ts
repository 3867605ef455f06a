import type { OptionFinding } from '../../../core/api/index.ts';
import { isObject, parseJson } from '../../../core/api/codec.ts';
import { hasKeys } from './logins.ts';
import type { VertexOptions } from './schema.ts';

/** Reports settings that contradict each other, and inline credentials that are not JSON. */
export function check(options: VertexOptions | undefined): readonly OptionFinding[] {
  const { credentials = '' } = options ?? {};
  const text = credentials.trim();
  if (text === '') return [];
  if (hasKeys(options ?? {}))
    return [{ path: ['credentials'], message: 'Set either credentials or apiKey: each call uses one of them.' }];
  return text.startsWith('{') && !isObject(parseJson(text))
    ? [{ path: ['credentials'], message: 'The credentials begin like JSON, but cannot be parsed.' }]
    : [];
}
