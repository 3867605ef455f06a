import { isObject, type JsonObject, type ConfigPath } from '../../core/index.ts';
import type { Note } from './notes.ts';

/** A setting of the router, and where it stands: in `router_settings`, or else in `litellm_settings`. */
export type Setting = (name: string) => readonly [at: ConfigPath, value: unknown] | undefined;

/** @param names all that will be asked for: what stands in both sections is noted once */
export function createSetting(source: JsonObject, names: readonly string[], note: Note): Setting {
  const found = new Map<string, readonly [at: ConfigPath, value: unknown]>();
  for (const section of ['router_settings', 'litellm_settings']) {
    const settings = source[section];
    for (const [name, value] of Object.entries(isObject(settings) ? settings : {})) {
      if (!names.includes(name) || value === null) continue;
      const first = found.get(name);
      if (first === undefined) found.set(name, [[section, name], value]);
      else if (JSON.stringify(first[1]) !== JSON.stringify(value))
        note([section, name], `${first[0].join('.')} holds before it, there as here.`);
    }
  }
  return (name) => found.get(name);
}
