import type { ConfigPath } from '../../core/api/internal.ts';
import { freeName } from './names.ts';
import type { Note } from './notes.ts';
import { textOf } from './read.ts';

export const PLACEHOLDER_URL = 'https://stand-in.invalid';

const NUMBER = /^\d+$/;

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
  /** A value of the source, or the variable that it is read from in the result, as `${VAR}`. */
  locate(value: unknown): string | undefined;
  /** The name of a variable that nothing else refers to. */
  reserve(preferred: string): string;
  /** A reference to a variable that can be unset. */
  optional(name: string): string;
  /** A reference to a variable that must be set. */
  require(name: string, placeholder: string): string;
  readonly required: Readonly<Record<string, string>>;
}

/** Escapes `${` in literal text. */
export const escapeInterpolation = (text: string): string => text.replaceAll('${', () => '$${');

const createReserve =
  (taken: Set<string>): Variables['reserve'] =>
  (preferred) => {
    const name = freeName(preferred, (one) => taken.has(one), '_');
    taken.add(name);
    return name;
  };

/** @param prefix what precedes the name of a variable in the source, as a regular expression; absent: it has none */
export function createVariables(source: unknown, prefix = '(?!)'): Variables {
  const reference = new RegExp(`${prefix}([A-Za-z_]\\w*)`, 'g');
  const exact = new RegExp(`^${prefix}([A-Za-z_]\\w*)$`);
  const taken = new Set([...JSON.stringify(source).matchAll(reference)].map(([, name = '']) => name));
  const bySecret = new Map<string, string>();
  const required: Record<string, string> = {};

  const reserve = createReserve(taken);

  const nameOf = (text: string, from: ConfigPath, preferred: string, note: Note): string => {
    const [, referred] = exact.exec(text) ?? [];
    if (referred !== undefined) return referred;
    const name = bySecret.get(text) ?? reserve(preferred);
    bySecret.set(text, name);
    note(from, `This secret was in clear text and is not copied. It is now read from the variable ${name}: set it.`);
    return name;
  };

  const require = (name: string, placeholder: string): string => {
    // One variable can be a header and a port: a number is valid as both.
    if (!(name in required) || NUMBER.test(placeholder)) required[name] = placeholder;
    return `\${${name}}`;
  };

  return {
    required,
    reserve,
    require,
    locate: (value) => {
      const text = textOf(value);
      const name = exact.exec(text ?? '')?.[1] ?? bySecret.get(text ?? '');
      return name === undefined ? text : `\${${name}}`;
    },
    optional: (name) => `\${${name}:-}`,
    value: (value, placeholder) => {
      const text = textOf(value);
      const [, name] = exact.exec(text ?? '') ?? [];
      if (name === undefined) return text === undefined ? undefined : escapeInterpolation(text);
      return require(name, placeholder);
    },
    secret: (value, from, name, note) => {
      const text = textOf(value);
      return text === undefined ? undefined : `\${${nameOf(text, from, name, note)}:-}`;
    },
    requiredSecret: (value, from, name, note, placeholder) => {
      const text = textOf(value);
      return text === undefined ? undefined : require(nameOf(text, from, name, note), placeholder);
    },
  };
}
