import type { CorpusLine, Json } from './lines.ts';

/** A wire as its clients and its vendor use it. `A` is the content of a response, independent of any wire. */
export interface WireAdapter<A> {
  readonly provider: 'openai' | 'anthropic' | 'google';
  /** A model that this vendor offers on this wire today. */
  readonly model: string;
  readonly path: (model: string, body: Json, stream: boolean) => string;
  /** The request for another model; on some wires only the path names it. */
  readonly forModel: (body: Json, model: string) => Json;
  /** A minimal request, for responses whose own request was not recorded or cannot be translated. */
  readonly minimal: (line: CorpusLine) => Json;
  /** A successful response of the vendor. */
  readonly sample: (stream: boolean) => string;
  readonly read: (line: CorpusLine) => A;
  /** The edits that the native lane makes, and no others. */
  readonly nativeEdits: (body: Json, line: CorpusLine) => Json;
  /** What a native client gets for a recorded response. */
  readonly nativeAnswer: (line: CorpusLine, request: Json) => string;
  /** One call with the unmodified SDK of this wire. */
  readonly send: (url: string, model: string, body: Json, stream: boolean) => Promise<A>;
}

/** The wires of one operation, and what must be the same on all of them. */
export interface CorpusOperation<W extends string, A> {
  readonly cards: Readonly<Record<W, WireAdapter<A>>>;
  /** Those that a provider serves. */
  readonly wires: readonly W[];
  readonly routes: readonly object[];
  /** The differences between the response and the recording; `to` is the client's wire. */
  readonly compare: (got: A, recorded: A, to: W) => string | undefined;
  /** The recording is of a failure, whatever its status: clients must get an error. */
  readonly failed: (answer: A) => boolean;
}

/** Most wires name the model in the body. */
export const nameModel = (body: Json, model: string): Json => ({ ...body, model });
export const asIs = (body: Json): Json => body;
