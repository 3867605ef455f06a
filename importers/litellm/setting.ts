import type { JsonObject } from '../../core/api/index.ts';
import { isObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note } from '../shared/notes.ts';

/** Returns a setting of the router and its path: from `router_settings`, or else from `litellm_settings`. */
export type Setting = (name: string) => readonly [at: ConfigPath, value: unknown] | undefined;

/**
 * @param names all settings that will be read: a note is added for each that both sections have with different values
 */
export function createSetting(source: JsonObject, names: readonly string[], note: Note): Setting {
  const found = new Map<string, readonly [at: ConfigPath, value: unknown]>();
  for (const section of ['router_settings', 'litellm_settings']) {
    const settings = source[section];
    for (const [name, value] of Object.entries(isObject(settings) ? settings : {})) {
      if (!names.includes(name) || value === null) continue;
      const first = found.get(name);
      if (first === undefined) found.set(name, [[section, name], value]);
      else if (JSON.stringify(first[1]) !== JSON.stringify(value))
        note([section, name], `${first[0].join('.')} takes precedence, as in LiteLLM.`);
    }
  }
  return (name) => found.get(name);
}
