import { invalidRequest } from '../../../../core/api/index.ts';
import type { Bill, BillItem } from '../bill.ts';
import { findField, readReport, type ExportFile, type Fields } from '../export-file.ts';
import { readDecimal } from '../money.ts';
import { readDay } from '../read-day.ts';

/** A kind of export. */
export interface BillFormat {
  /** For `--bill-format`. */
  readonly name: string;
  /** Where it comes from, and how it is recognized: for the error about an unknown file. */
  readonly expects: string;
  matches(file: ExportFile): boolean;
  /** @throws GatewayError 400 for a value that cannot be read */
  read(file: ExportFile): Bill;
}

/** Reads a field that every line of a format has. @throws GatewayError 400 that names the field and its value */
export function requireField<T>(fields: Fields, names: readonly string[], read: (text: string) => T | undefined): T {
  const text = findField(fields, ...names);
  const value = text === undefined ? undefined : read(text);
  if (value !== undefined) return value;
  const problem = text === undefined ? 'is missing' : `is "${text.slice(0, 40)}", which cannot be read`;
  throw invalidRequest('bill', `${names[0]} ${problem} in this line of the bill: ${describeLine(fields)}`);
}

const describeLine = (fields: Fields): string => JSON.stringify(Object.fromEntries(fields)).slice(0, 200);

export const requireDay = (fields: Fields, ...names: readonly string[]): string => requireField(fields, names, readDay);

/** Reads a report whose results are in buckets of a day. */
export function readDays(
  file: ExportFile,
  dayNames: readonly string[],
  readItems: (results: readonly Fields[]) => readonly BillItem[],
): Bill {
  const { buckets, results, hasMore } = readReport(file);
  return { days: buckets.map((bucket) => requireDay(bucket, ...dayNames)), items: readItems(results), hasMore };
}

/** The ledger is in dollars. @throws GatewayError 400 for another currency */
export function requireDollars(fields: Fields, ...names: readonly string[]): void {
  const currency = findField(fields, ...names) ?? 'USD';
  if (currency.toUpperCase() !== 'USD')
    throw invalidRequest('bill', `The bill is in ${currency}, and the ledger in USD: export it in USD.`);
}

/** A whole number; undefined if the line does not have it. */
export function readWhole(fields: Fields, ...names: readonly string[]): bigint | undefined {
  const text = findField(fields, ...names);
  return text === undefined ? undefined : readDecimal(text, 0);
}

/** The sum of those that a line has; undefined if it has none. */
export function sumFields(fields: Fields, ...names: readonly string[]): bigint | undefined {
  const found = names.flatMap((name) => readWhole(fields, name) ?? []);
  return found.length === 0 ? undefined : found.reduce((sum, part) => sum + part, 0n);
}
