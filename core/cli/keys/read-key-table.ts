import { readCsvRows } from '../../canonical/text/csv.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import { readKeyRequest, type KeyRequest } from '../../config/validate/read-key.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { MisuseError } from '../command.ts';
import { parseHostedTools, parsePairs, splitList } from './key-options.ts';
import { parseLimit } from './limit-notation.ts';

const splitWords = (cell: string): readonly string[] => cell.split(/[\s,]+/).filter((word) => word !== '');
const keep = (cell: string): string => cell;

/** How the cells of each column are read. */
const columns = new Map<string, (cell: string) => unknown>([
  ['name', keep],
  ['organization', keep],
  ['project', keep],
  ['models', splitWords],
  ['limits', (cell) => splitWords(cell).map((text) => parseLimit(text, 'limits'))],
  ['losses', keep],
  ['vendorState', keep],
  ['costHeaders', keep],
  ['hostedTools', (cell) => parseHostedTools(splitWords(cell))],
  ['tags', (cell) => parsePairs('tags', splitList(cell))],
  ['owner', keep],
  ['expires', keep],
]);
const METADATA = 'metadata.';

const checkColumns = (names: readonly string[]): void => {
  const unknown = names.find((name) => !columns.has(name) && !name.startsWith(METADATA));
  if (unknown !== undefined)
    throw new MisuseError(
      `The first row has the column ${JSON.stringify(unknown)}. ` +
        `Columns are ${[...columns.keys()].join(', ')} and ${METADATA}NAME.` +
        describeSuggestion(unknown, [...columns.keys()]),
    );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new MisuseError(`The first row has the column "${twice}" twice.`);
  if (!names.includes('name')) throw new MisuseError('The first row needs the column "name".');
};

/** An empty cell is an absent setting. */
const readRow = (names: readonly string[], row: readonly string[]): KeyRequest => {
  if (row.length > names.length) throw new MisuseError(`The row has ${row.length} cells for ${names.length} columns.`);
  const settings: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const cell = (row[index] ?? '').trim();
    if (cell === '') continue;
    if (name.startsWith(METADATA)) metadata[name.slice(METADATA.length)] = cell;
    else settings[name] = columns.get(name)?.(cell);
  }
  return readKeyRequest({ ...settings, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) });
};

/** A row of the table, by the number that editors show: the first one has the columns. */
export interface TableRow {
  readonly place: string;
  /** The key, or why there is none. */
  readonly key: KeyRequest | Error;
}

/**
 * Reads new keys from CSV, whose first row has the names of the columns.
 * @throws MisuseError where the columns are wrong
 */
export function readKeyTable(text: string): readonly TableRow[] {
  const [head = [], ...rows] = readCsvRows(text);
  const names = head.map((name) => name.trim());
  checkColumns(names);
  return rows.map((row, index) => {
    const place = `row ${index + 2}`;
    try {
      return { place, key: readRow(names, row) };
    } catch (thrown) {
      if (!(thrown instanceof MisuseError) && !GatewayError.is(thrown)) throw thrown;
      return { place, key: new MisuseError(`${place}: ${thrown.message}`) };
    }
  });
}
