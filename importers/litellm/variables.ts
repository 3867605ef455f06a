import type { ConfigPath } from '../../core/index.ts';
import type { Note } from './notes.ts';
import { textOf } from './read.ts';

const REFERENCE = /os\.environ\/([A-Za-z_]\w*)/;
const EXACT = /^os\.environ\/([A-Za-z_]\w*)$/;

export const URL_STAND_IN = 'https://stand-in.invalid';

/** How values that come from the environment, or should, are written. */
export interface Variables {
  /** A value that is no secret. @param standIn what it may look like; with a name from the environment it must be set */
  value(value: unknown, standIn: string): string | undefined;
  /** A secret that may be missing. One that stood in clear gets a variable, and a note. @param name of the variable, where it is free */
  secret(value: unknown, from: ConfigPath, name: string, note: Note): string | undefined;
  /** The same for one that must be there. */
  needed(value: unknown, from: ConfigPath, name: string, note: Note, standIn: string): string | undefined;
  readonly required: Readonly<Record<string, string>>;
}

/** Text that is meant as it stands. */
export const plain = (text: string): string => text.replaceAll('${', () => '$${');

export function createVariables(source: unknown): Variables {
  const taken = new Set([...JSON.stringify(source).matchAll(new RegExp(REFERENCE, 'g'))].map(([, name = '']) => name));
  const bySecret = new Map<string, string>();
  const required: Record<string, string> = {};

  const free = (wished: string): string => {
    let name = wished;
    for (let number = 2; taken.has(name); number += 1) name = `${wished}_${number}`;
    return name;
  };

  const nameOf = (text: string, from: ConfigPath, wished: string, note: Note): string => {
    const [, referred] = EXACT.exec(text) ?? [];
    if (referred !== undefined) return referred;
    const name = bySecret.get(text) ?? free(wished);
    taken.add(name);
    bySecret.set(text, name);
    note(from, `The secret stood here in clear and is not repeated: it is read from the variable ${name} now. Set it.`);
    return name;
  };

  return {
    required,
    value: (value, standIn) => {
      const text = textOf(value);
      const [, name] = EXACT.exec(text ?? '') ?? [];
      if (name === undefined) return text === undefined ? undefined : plain(text);
      required[name] ??= standIn;
      return `\${${name}}`;
    },
    secret: (value, from, name, note) => {
      const text = textOf(value);
      return text === undefined ? undefined : `\${${nameOf(text, from, name, note)}:-}`;
    },
    needed: (value, from, name, note, standIn) => {
      const text = textOf(value);
      if (text === undefined) return undefined;
      const chosen = nameOf(text, from, name, note);
      required[chosen] ??= standIn;
      return `\${${chosen}}`;
    },
  };
}
