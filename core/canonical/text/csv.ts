import { invalidRequest } from '../../errors/gateway-error.ts';

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/gy;

/**
 * Reads CSV (RFC 4180, with any line ending) as rows of cells. Empty rows are left out.
 * @throws GatewayError 400 that names the line with a quote in the wrong place: what follows could belong to any column
 */
export function readCsvRows(file: string): readonly (readonly string[])[] {
  const text = file.replace(/^\uFEFF/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  let read = 0;
  for (const [cell, quoted, plain = '', end = ''] of text.matchAll(CELL)) {
    read += cell.length;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
  }
  if (read === text.length) return rows;
  const line = text.slice(0, read).split(/\r?\n|\r/).length;
  throw invalidRequest(
    'csv',
    `Line ${line} of the table has a quote in the wrong place. Quote the whole cell, and double the quotes in it.`,
  );
}
