import { type ImportNote, type JsonObject, omitUndefined, type ConfigPath } from '../../core/index.ts';
import { reasonFor } from './reasons.ts';

/** @param to where the reader of the result looks for it */
export type Note = (from: ConfigPath, text: string, to?: ConfigPath) => void;

export interface Notes {
  readonly note: Note;
  /** Names every setting of a section that is none of those carried. */
  rest(section: JsonObject, at: ConfigPath, carried: readonly string[], to?: ConfigPath): void;
  readonly list: readonly ImportNote[];
}

/** What is switched off, or empty, has nothing to be carried. */
const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

export function createNotes(): Notes {
  const list: ImportNote[] = [];
  const note: Note = (from, text, to) => void list.push(omitUndefined({ from, text, to }));
  return {
    note,
    list,
    rest: (section, at, carried, to) => {
      for (const [name, value] of Object.entries(section)) {
        if (carried.includes(name) || saysNothing(value)) continue;
        note([...at, name], reasonFor(String(at[0] ?? name), at.length === 0 ? '' : name), to);
      }
    },
  };
}
