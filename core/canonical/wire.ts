/** A protocol style. Open: a third-party provider brings wires of its own (Converse, Cohere, NDJSON Ollama). */
export type WireName =
  | 'chat-completions'
  | 'messages'
  | 'responses'
  | 'generate-content'
  | 'embeddings'
  | 'embed-content'
  | (string & {});

/** Whose shapes are used where no route names a wire: the list of models, and the calls that plugins bring. */
export const DEFAULT_WIRE: WireName = 'chat-completions';

/** What a route asks for. `count-tokens` shares a wire's request shape but not its answer, so a wire alone does not name a codec. */
export type Operation = 'generate' | 'embed' | 'count-tokens';

/** A parsed JSON object whose members nobody has looked at yet. */
export type JsonObject = { [member: string]: unknown };

/** Header names are lower-case throughout the core. */
export type Headers = Readonly<Record<string, string>>;
