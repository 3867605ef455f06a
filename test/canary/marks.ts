import { randomBytes } from 'node:crypto';

/** A secret of a run. It is found by its random part, whole or in pieces. */
export interface Mark {
  readonly name: string;
  readonly value: string;
  /** The random part of the value, which is unique. */
  readonly random: string;
}

const randomText = (length: number): string =>
  randomBytes(length)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length);

/**
 * Creates a secret.
 * @param prefix by which a scanner or the gateway can recognise it
 * @param special characters that JSON and URLs escape
 */
export const createMark = (name: string, prefix = '', special = '"+/%\\='): Mark => {
  const random = `${randomText(40).slice(0, 24)}${special}${randomText(40).slice(0, 16)}`;
  return { name, value: prefix + random, random };
};

/**
 * A secret that the gateway generated.
 * @param random the index at which it is random
 */
export const markOf = (name: string, value: string, random: string): Mark => ({ name, value, random });

/** Pieces of these lengths, which are even, are unique: of letters and digits, of Base64, and of hexadecimal. */
const PLAIN = 10;
const BASE64 = 14;
const HEX = 20;

const plainOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
const hexOf = (text: string): string => text.toLowerCase();
const base64Of = (text: string): string =>
  text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/\\\/|%2f/gi, '/')
    .replaceAll(/%2b/gi, '+')
    .replaceAll(/\s|\\n/g, '');

/** The Base64 of a text after zero, one and two other bytes, without the characters that depend on its neighbours. */
const base64Forms = (text: string): readonly string[] =>
  [0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + text)
      .toString('base64')
      .slice(before === 0 ? 0 : 4)
      .replace(/.{0,1}=*$/, ''),
  );

const windowsOf = (text: string, length: number): readonly string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, index) => text.slice(index, index + length));

interface Windows {
  readonly length: number;
  /** The names of the secrets that have the piece. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** All halves of these pieces, at any place. */
  readonly halves: ReadonlySet<string>;
}

const indexOf = (marks: readonly Mark[], length: number, formsOf: (random: string) => readonly string[]): Windows => {
  const names = new Map<string, Set<string>>();
  const halves = new Set<string>();
  for (const { name, random } of marks)
    for (const form of formsOf(random)) {
      for (const window of windowsOf(form, length)) names.set(window, (names.get(window) ?? new Set()).add(name));
      for (const half of windowsOf(form, length / 2)) halves.add(half);
    }
  return { length, names, halves };
};

/** Wherever a piece stands, a half of it stands at a multiple of half its length: only there the text is looked at. */
const findWindows = (text: string, { length, names, halves }: Windows, found: Set<string>): void => {
  const half = length / 2;
  for (let at = 0; at + half <= text.length; at += half) {
    if (!halves.has(text.slice(at, at + half))) continue;
    for (let start = Math.max(0, at - half); start <= at; start += 1)
      for (const name of names.get(text.slice(start, start + length)) ?? []) found.add(name);
  }
};

/**
 * Finds secrets in an output by any ten consecutive letters and digits of their random part: unchanged, in other case,
 * escaped for JSON or a URL, broken by spaces, quotes or line ends, in hexadecimal, and in Base64 with any neighbours.
 * @returns the names of the secrets in the output
 */
export const createSearcher = (marks: readonly Mark[]): ((output: string | Buffer) => readonly string[]) => {
  const plain = indexOf(marks, PLAIN, (random) => [plainOf(random)]);
  const base64 = indexOf(marks, BASE64, base64Forms);
  const hex = indexOf(marks, HEX, (random) => [Buffer.from(random).toString('hex')]);
  return (output) => {
    const text = typeof output === 'string' ? output : output.toString('latin1');
    const found = new Set<string>();
    findWindows(plainOf(text), plain, found);
    // Escapes of JSON and URLs put letters inside a secret: without the escapes it is whole again.
    findWindows(plainOf(text.replaceAll(/\\u[0-9a-f]{4}|%(?:25)*[0-9a-f]{2}|\\[a-z]/gi, '')), plain, found);
    findWindows(base64Of(text), base64, found);
    findWindows(hexOf(text), hex, found);
    return [...found].toSorted();
  };
};
