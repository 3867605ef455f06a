import type { JsonObject, Usage } from '../../../../../core/api/index.ts';
import { isObject, readList, readObject } from '../../../../../core/api/codec.ts';
import { hasCounts, mergeUsage, readBilledSearches, readUsage } from '../../usage.ts';

/** More queries than any prompt causes. */
const MAX_QUERIES = 1_000;

/**
 * Reads the usage of a response, chunk by chunk. The searches are in the candidates: only some responses have them in
 * the usage (`billedToolCalls`).
 */
export class UsageReader {
  readonly #billsOneSearch: boolean;
  readonly #queries = new Set<string>();
  #raw: Readonly<JsonObject> = {};

  /** @param billsOneSearch a prompt is billed for one search, however many it caused */
  constructor(billsOneSearch = false) {
    this.#billsOneSearch = billsOneSearch;
  }

  /** Returns the usage so far, if the chunk changed it. */
  read({ usageMetadata }: JsonObject, candidates: readonly JsonObject[]): Usage | undefined {
    const before = this.#queries.size;
    for (const { groundingMetadata } of candidates)
      if (groundingMetadata !== undefined) this.#readQueries(groundingMetadata);
    if (isObject(usageMetadata)) {
      this.#raw = mergeUsage(this.#raw, usageMetadata);
      if (hasCounts(usageMetadata)) return this.#total();
    }
    return this.#queries.size > before && hasCounts(this.#raw) ? this.#total() : undefined;
  }

  /** A query that is repeated or empty is not billed: https://ai.google.dev/gemini-api/docs/google-search#pricing */
  #readQueries(grounding: unknown): void {
    for (const query of readList(readObject(grounding)['webSearchQueries']))
      if (typeof query === 'string' && query.trim() !== '' && this.#queries.size < MAX_QUERIES)
        this.#queries.add(query);
  }

  #total(): Usage {
    const usage = readUsage(this.#raw);
    const searches = readBilledSearches(this.#raw) || this.#queries.size;
    if (searches === 0) return usage;
    return { ...usage, units: { webSearches: this.#billsOneSearch ? 1 : searches } };
  }
}
