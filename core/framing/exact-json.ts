import { randomUUID } from 'node:crypto';
import '../canonical/json/raw-number.ts';
import { isObject } from '../canonical/json/members.ts';
import { readJsonLayout, type JsonNumber } from './json-layout.ts';

/** Integers with fewer digits are exact. Most texts have no run of so many digits. */
const LONG_RUN = /\d{16}/;
/** Only at the start of a number, because fractions have long runs too. */
const LONG_NUMBER = /[:[,\s-]\d{16}/;
const hasLongNumber = (text: string): boolean => LONG_RUN.test(text) && (LONG_NUMBER.test(text) || /^\d/.test(text));

/** Marks integers that are parsed as strings. Random, so that no received text can contain it. */
const MARK = `integer-${randomUUID()}:`;

const markIntegers = (bytes: Buffer, numbers: readonly JsonNumber[]): string => {
  const pieces: Uint8Array[] = [];
  const [before, after] = [Buffer.from(`"${MARK}`), Buffer.from('"')];
  let at = 0;
  for (const { start, end } of numbers) {
    pieces.push(bytes.subarray(at, start), before, bytes.subarray(start, end), after);
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces).toString('utf8');
};

const readInteger = (digits: string): unknown =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : JSON.rawJSON(digits);

/** Replaces the marked strings by integers, in place. */
const readIntegers = (value: unknown): unknown => {
  if (typeof value === 'string') return value.startsWith(MARK) ? readInteger(value.slice(MARK.length)) : value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = readIntegers(value[index]);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) value[name] = readIntegers(value[name]);
  }
  return value;
};

/**
 * JSON.parse that keeps all digits of integers beyond 2^53 (ids of databases and chats), as RawNumber. A reviver would
 * take twenty times as long.
 * @param numbers the long integers of its layout
 * @throws SyntaxError
 */
export const parseMarked = (bytes: Buffer, numbers: readonly JsonNumber[]): unknown =>
  readIntegers(JSON.parse(markIntegers(bytes, numbers)));

/** The same for a text without a known layout. @throws SyntaxError */
export function parseDigits(text: string): unknown {
  const bytes = Buffer.from(text);
  return parseMarked(bytes, readJsonLayout(bytes).longNumbers);
}

/**
 * Parses JSON with all digits of its integers; undefined if the text is not JSON. A text without long numbers costs one
 * scan.
 */
export function parseExactJson(text: string): unknown {
  try {
    return hasLongNumber(text) ? parseDigits(text) : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
