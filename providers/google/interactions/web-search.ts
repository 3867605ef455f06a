import type { JsonObject, OpaquePart, SearchCall, Tool } from '../../../core/api/index.ts';
import { readList, readObject, readText } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/** https://ai.google.dev/gemini-api/docs/interactions/google-search */
export const SEARCH_TYPE = 'google_search';

/** A search that other vendors can carry out as well: of web pages. */
export function readWebSearch({ type, search_types: types, ...others }: Readonly<JsonObject>): Pick<Tool, 'webSearch'> {
  if (type !== SEARCH_TYPE || !readList(types).every((kind) => kind === 'web_search')) return {};
  const other = Object.keys(others);
  return { webSearch: other.length === 0 ? {} : { other } };
}

/** A step that only this wire defines. Of a search, other wires can show what it was for. */
export function readOpaqueStep(step: Readonly<JsonObject>): OpaquePart {
  const part = { type: 'opaque', wire: WIRE, value: step } as const;
  const id = readText(step['id']) || readText(step['call_id']);
  if (step['type'] === 'google_search_result') return { ...part, search: { id } };
  if (step['type'] !== 'google_search_call') return part;
  const queries = readList(readObject(step['arguments'])['queries']).map(readText).filter(Boolean);
  return { ...part, search: { id, queries } };
}

/** A search that another vendor carried out, as the steps of one; none for results without their search. */
export const writeSearch = ({ queries }: SearchCall, id: string): readonly Readonly<JsonObject>[] =>
  queries === undefined
    ? []
    : [
        { type: 'google_search_call', id, arguments: { queries } },
        { type: 'google_search_result', call_id: id, result: [] },
      ];
