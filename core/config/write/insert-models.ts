import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parseDocument, type ParsedNode, type YAMLMap } from 'yaml';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';

/** Entries for `models`. */
export interface NewModels {
  readonly entries: Readonly<JsonObject>;
  /** The same entries as YAML, with comments. */
  write(indent: string): string;
}

/** Where the last entry of a block ends: after its line. */
const endOf = (text: string, { items }: YAMLMap.Parsed): number => {
  const last = items.at(-1);
  const end = (last?.value ?? last?.key)?.range?.[1] ?? 0;
  const line = text.indexOf('\n', text.slice(0, end).trimEnd().length);
  return line === -1 ? text.length : line + 1;
};

const indentOf = (text: string, { items: [first] }: YAMLMap.Parsed): string => {
  const at = first?.key.range[0] ?? 0;
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
};

const findModels = (contents: ParsedNode | null): ParsedNode | null | undefined =>
  isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'models')?.value : undefined;

const insert = (text: string, node: ParsedNode | null | undefined, { write }: NewModels): string | undefined => {
  const own = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  if (node === undefined) return `${own}\nmodels:\n${write('  ')}`;
  if (!isMap(node) || node.flow === true || node.items.length === 0) return undefined;
  const at = endOf(own, node);
  return own.slice(0, at) + write(indentOf(own, node)) + own.slice(at);
};

/**
 * Adds models to the text of a configuration, below those that it has. All other text stays as it is.
 * @returns undefined if the layout of the file does not allow it
 */
export function insertModels(text: string, models: NewModels): string | undefined {
  const document = parseDocument(text);
  const inserted = insert(text, findModels(document.contents), models);
  if (inserted === undefined) return undefined;
  const [before, after]: readonly unknown[] = [document.toJS(), parseDocument(inserted).toJS()];
  const whole = isObject(before) ? before : {};
  const own = isObject(whole['models']) ? whole['models'] : {};
  return isDeepStrictEqual(after, { ...whole, models: { ...own, ...models.entries } }) ? inserted : undefined;
}
