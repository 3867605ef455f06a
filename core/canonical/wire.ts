/** A wire: an API shape. An open set, because third-party providers add their own (Converse, Cohere, NDJSON Ollama). */
export type WireName =
  | 'chat-completions'
  | 'completions'
  | 'messages'
  | 'responses'
  | 'generate-content'
  | 'interactions'
  | 'embeddings'
  | 'embed-content'
  | 'moderations'
  | 'cohere-rerank'
  | 'rerank'
  | 'transcriptions'
  | 'translations'
  | 'speech'
  | 'image-generations'
  | 'image-edits'
  | 'image-variations'
  | 'tokenize'
  | (string & {});

/** The wire of requests to routes without one: the list of models, and endpoints of plugins. */
export const DEFAULT_WIRE: WireName = 'chat-completions';

/**
 * The operation of a route. `count-tokens` and `compact` have the requests of a generation wire but other responses, so
 * codecs are registered by operation and wire.
 */
export type Operation =
  | 'generate'
  | 'embed'
  | 'moderate'
  | 'rerank'
  | 'image'
  | 'transcribe'
  | 'translate'
  | 'speak'
  | 'count-tokens'
  | 'compact';

/** What clients do with a response that its vendor stores. `input-items`: the list of what it was created from. */
export type StoredOperation = 'retrieve' | 'cancel' | 'delete' | 'input-items';

/** How a wire expresses such an operation. */
export interface StoredPath {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** What follows the id of the response in the path. @example suffix: '/cancel' */
  readonly suffix: string;
}

/** A parsed JSON object with members of unknown types. */
export type JsonObject = { [member: string]: unknown };

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
