import { randomUUID } from 'node:crypto';
import '../canonical/json/raw-number.ts';
import { isObject } from '../canonical/json/members.ts';
import { readJsonLayout, type JsonNumber } from './json-layout.ts';

/** Every integer of fewer digits is exact. Most texts do not have so many in a row at all. */
const LONG_RUN = /\d{16}/;
/** At the beginning of a number: fractions have long rows too. */
const LONG_NUMBER = /[:[,\s-]\d{16}/;
const hasLongNumber = (text: string): boolean => LONG_RUN.test(text) && (LONG_NUMBER.test(text) || /^\d/.test(text));

/** Marks the integers that are parsed as strings for a moment. Random: no text that is received can hold it. */
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

/** The value with its marked integers read, in place. */
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
 * JSON.parse, but integers beyond 2^53 (ids of databases and chats) keep their digits, as RawNumber. A reviver would
 * take twenty times as long.
 * @param numbers the long integers of its layout
 * @throws SyntaxError
 */
export const parseMarked = (bytes: Buffer, numbers: readonly JsonNumber[]): unknown =>
  readIntegers(JSON.parse(markIntegers(bytes, numbers)));

/** The same of a text whose layout is not known. @throws SyntaxError */
export function parseDigits(text: string): unknown {
  const bytes = Buffer.from(text);
  return parseMarked(bytes, readJsonLayout(bytes).longNumbers);
}

/**
 * The value of a JSON text with all its digits, or `undefined` when it is not one. A text without long numbers costs a
 * look at it.
 */
export function parseExactJson(text: string): unknown {
  try {
    return hasLongNumber(text) ? parseDigits(text) : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
