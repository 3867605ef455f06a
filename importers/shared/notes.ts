import type { JsonObject } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import type { ImportNote, ConfigPath } from '../../core/api/internal.ts';

/** @param to the setting of the result that the note is about */
export type Note = (from: ConfigPath, text: string, to?: ConfigPath) => void;

export interface Notes {
  readonly note: Note;
  /** Reports a setting without which the result would allow more than the source. The import ends with 1. */
  readonly fail: Note;
  /** Adds a note for every setting of a section that is not imported. @param carried names of the imported ones */
  noteUnsupported(section: JsonObject, at: ConfigPath, carried: readonly string[], to?: ConfigPath): void;
  readonly list: readonly ImportNote[];
}

/** Whether a setting is turned off or empty, so that there is nothing to import. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * @param reasonFor why a setting is not imported, and what to do instead; the name is empty for a whole section
 * @param restricting the names of settings without which the result would allow more than the source
 */
export function createNotes(
  reasonFor: (section: string, name: string) => string,
  restricting: ReadonlySet<string> = new Set(),
): Notes {
  const list: ImportNote[] = [];
  const note: Note = (from, text, to) => void list.push(omitUndefined({ from, text, to }));
  const fail: Note = (from, text, to) => void list.push(omitUndefined({ from, text, to, isError: true as const }));
  return {
    note,
    fail,
    list,
    noteUnsupported: (section, at, carried, to) => {
      for (const [name, value] of Object.entries(section)) {
        if (carried.includes(name) || isEmpty(value)) continue;
        const report = restricting.has(name) ? fail : note;
        report([...at, name], reasonFor(String(at[0] ?? name), at.length === 0 ? '' : name), to);
      }
    },
  };
}
