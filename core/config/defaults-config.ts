import type { JsonObject } from '../canonical/wire.ts';

/** What a model sets in requests that do not set it, in the words of the file. */
export interface WrittenDefaults {
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly seed?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly stop?: readonly string[];
  readonly reasoning?: { readonly effort?: string; readonly budget?: number };
  /** Members of the body that targets get, as they are written. */
  readonly body?: Readonly<JsonObject>;
}
