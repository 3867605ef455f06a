import { invalidRequest, type JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { readCsvRows } from '../../../core/api/internal.ts';

/** Values by field name in lower case; nested names are joined by dots. */
export type Fields = ReadonlyMap<string, string>;

/** The content of an export. Numbers are kept as the text that the vendor wrote. */
export type ExportFile =
  | { readonly kind: 'json'; readonly objects: readonly JsonObject[] }
  | { readonly kind: 'csv'; readonly columns: ReadonlySet<string>; readonly lines: readonly Fields[] };

const keepNumberText = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;
const parseJson = (text: string): unknown => JSON.parse(text, keepNumberText);

/** One value, or one on each line. */
const parseValues = (text: string): readonly unknown[] => {
  try {
    return [parseJson(text)].flat();
  } catch (whole) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (lines.length < 2) throw whole;
    return lines.flatMap((line) => [parseJson(line)].flat());
  }
};

const readCsv = (text: string): ExportFile => {
  const [head = [], ...rows] = readCsvRows(text);
  const columns = head.map((name) => name.trim().toLowerCase().replaceAll(' ', '_'));
  const lines = rows.map((row) => new Map(columns.map((name, index) => [name, row[index] ?? ''])));
  return { kind: 'csv', columns: new Set(columns), lines };
};

/** @throws GatewayError 400 for text that starts like JSON and is none */
export function readExportFile(text: string): ExportFile {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return readCsv(text);
  try {
    return { kind: 'json', objects: parseValues(text.replace(/^\uFEFF/, '')).filter(isObject) };
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(
      'bill',
      `The bill starts like JSON but is neither JSON nor one JSON object on each line${reason}.`,
    );
  }
}

/** Lists and nulls are left out. */
export const flatten = (prefix: string, value: object): readonly (readonly [string, string])[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]): readonly (readonly [string, string])[] => {
    const path = `${prefix}${name.toLowerCase()}`;
    if (isObject(member)) return flatten(`${path}.`, member);
    return Array.isArray(member) || member === null ? [] : [[path, String(member)]];
  });

/** The first of these fields that a line has. */
export const findField = (fields: Fields, ...names: readonly string[]): string | undefined => {
  const name = names.find((candidate) => (fields.get(candidate) ?? '') !== '');
  return name === undefined ? undefined : fields.get(name);
};

/** The fields of one result of a report that has its results in buckets of time. */
export interface ReportLines {
  /** The fields of each bucket itself. */
  readonly buckets: readonly Fields[];
  /** Those of each result, with those of its bucket. */
  readonly results: readonly Fields[];
  readonly hasMore: boolean;
}

/** Reads `{ data: [{ start_time, results: [...] }], has_more }`, one page or several; of CSV, each line is a result. */
export function readReport(file: ExportFile): ReportLines {
  if (file.kind === 'csv') return { buckets: file.lines, results: file.lines, hasMore: false };
  const pages = file.objects.map(({ data, ...page }) => ({ page, buckets: Array.isArray(data) ? data : [page] }));
  const found = pages.flatMap(({ buckets }) =>
    buckets.filter(isObject).flatMap(({ results, ...bucket }) => {
      if (!Array.isArray(results)) return [];
      const fields = flatten('', bucket);
      return [
        { fields, results: results.filter(isObject).map((result) => new Map([...fields, ...flatten('', result)])) },
      ];
    }),
  );
  return {
    buckets: found.map(({ fields }) => new Map(fields)),
    results: found.flatMap(({ results }) => results),
    hasMore: pages.at(-1)?.page['has_more'] === true,
  };
}
