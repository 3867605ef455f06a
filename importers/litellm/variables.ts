import type { ConfigPath } from '../../core/index.ts';
import type { Note } from './notes.ts';
import { textOf } from './read.ts';

const REFERENCE = /os\.environ\/([A-Za-z_]\w*)/;
const EXACT = /^os\.environ\/([A-Za-z_]\w*)$/;

export const PLACEHOLDER_URL = 'https://stand-in.invalid';

/** Converts values that are, or should be, read from the environment. */
export interface Variables {
  /**
   * Converts a value that is not secret.
   * @param placeholder a valid example; a variable of the source becomes a required one
   */
  value(value: unknown, placeholder: string): string | undefined;
  /**
   * Converts an optional secret. One in clear text gets a variable, and a note.
   * @param name of the variable, if it is not taken
   */
  secret(value: unknown, from: ConfigPath, name: string, note: Note): string | undefined;
  /** Converts a secret that is required. */
  requiredSecret(value: unknown, from: ConfigPath, name: string, note: Note, placeholder: string): string | undefined;
  readonly required: Readonly<Record<string, string>>;
}

/** Escapes `${` in literal text. */
export const escapeInterpolation = (text: string): string => text.replaceAll('${', () => '$${');

export function createVariables(source: unknown): Variables {
  const taken = new Set([...JSON.stringify(source).matchAll(new RegExp(REFERENCE, 'g'))].map(([, name = '']) => name));
  const bySecret = new Map<string, string>();
  const required: Record<string, string> = {};

  const free = (preferred: string): string => {
    let name = preferred;
    for (let number = 2; taken.has(name); number += 1) name = `${preferred}_${number}`;
    return name;
  };

  const nameOf = (text: string, from: ConfigPath, preferred: string, note: Note): string => {
    const [, referred] = EXACT.exec(text) ?? [];
    if (referred !== undefined) return referred;
    const name = bySecret.get(text) ?? free(preferred);
    taken.add(name);
    bySecret.set(text, name);
    note(from, `This secret was in clear text and is not copied. It is now read from the variable ${name}: set it.`);
    return name;
  };

  return {
    required,
    value: (value, placeholder) => {
      const text = textOf(value);
      const [, name] = EXACT.exec(text ?? '') ?? [];
      if (name === undefined) return text === undefined ? undefined : escapeInterpolation(text);
      required[name] ??= placeholder;
      return `\${${name}}`;
    },
    secret: (value, from, name, note) => {
      const text = textOf(value);
      return text === undefined ? undefined : `\${${nameOf(text, from, name, note)}:-}`;
    },
    requiredSecret: (value, from, name, note, placeholder) => {
      const text = textOf(value);
      if (text === undefined) return undefined;
      const chosen = nameOf(text, from, name, note);
      required[chosen] ??= placeholder;
      return `\${${chosen}}`;
    },
  };
}
