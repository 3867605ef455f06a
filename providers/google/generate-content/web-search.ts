import type { JsonObject, OpaquePart, SearchCall, Tool } from '../../../core/api/index.ts';
import { readList, readObject, readText } from '../../../core/api/codec.ts';
import { WIRE } from './shape.ts';

/**
 * The names of the search, as JSON and as protocol buffers have it.
 * https://ai.google.dev/gemini-api/docs/google-search
 */
const names: ReadonlySet<string> = new Set(['googleSearch', 'google_search']);

/** A search that other vendors can carry out as well. */
export function readWebSearch(name: string, value: unknown): Pick<Tool, 'webSearch'> {
  if (!names.has(name)) return {};
  const other = Object.keys(readObject(value));
  return { webSearch: other.length === 0 ? {} : { other } };
}

/** The searches of a candidate, which the vendor reports at its end. */
export function readSearch(candidate: Readonly<JsonObject>): OpaquePart | undefined {
  const grounding = readObject(candidate['groundingMetadata']);
  const queries = readList(grounding['webSearchQueries']).map(readText).filter(Boolean);
  if (queries.length === 0) return undefined;
  const sources = readList(grounding['groundingChunks']).flatMap((chunk) => {
    const { uri, title } = readObject(readObject(chunk)['web']);
    if (readText(uri) === '') return [];
    return [{ url: readText(uri), ...(readText(title) === '' ? {} : { title: readText(title) }) }];
  });
  const search: SearchCall = { queries, sources };
  return { type: 'opaque', wire: WIRE, value: undefined, search };
}

/** What the search of a part was for; `undefined` for any other part. */
export const readQueries = (part: unknown): readonly string[] | undefined => {
  const { search } = readObject(part) as Partial<OpaquePart>;
  return search === undefined ? undefined : (search.queries ?? []);
};

/** More queries than any prompt causes. */
const MAX_QUERIES = 1_000;

/**
 * What the searches of a response were for, each once. A query that is repeated or empty is not billed:
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export class BilledQueries {
  readonly #queries = new Set<string>();

  get size(): number {
    return this.#queries.size;
  }

  add(queries: unknown): void {
    for (const query of readList(queries))
      if (typeof query === 'string' && query.trim() !== '' && this.#queries.size < MAX_QUERIES)
        this.#queries.add(query);
  }
}
