import type { CorpusLine, Json } from './lines.ts';

/** A wire as its clients and its vendor use it; what an answer says, in no wire's words, is an `A`. */
export interface WireCard<A> {
  readonly provider: 'openai' | 'anthropic' | 'google';
  /** A model that this vendor offers on this wire today. */
  readonly model: string;
  readonly path: (model: string, body: Json, stream: boolean) => string;
  /** The request for another model; on some wires the path alone names it. */
  readonly forModel: (body: Json, model: string) => Json;
  /** The smallest request: for answers whose own request was not recorded, or cannot be translated. */
  readonly smallest: (line: CorpusLine) => Json;
  /** A good answer of the vendor. */
  readonly sample: (stream: boolean) => string;
  readonly read: (line: CorpusLine) => A;
  /** The named edits that the native lane makes, and nothing else. */
  readonly nativeEdits: (body: Json) => Json;
  /** What a native client gets of a recorded answer. */
  readonly nativeAnswer: (line: CorpusLine, request: Json) => string;
  /** One call with the unmodified SDK of this wire, its request in the words of the wire. */
  readonly send: (url: string, model: string, body: Json, stream: boolean) => Promise<A>;
}

/** The wires of one operation, and what must be the same on all of them. */
export interface Ground<W extends string, A> {
  readonly cards: Readonly<Record<W, WireCard<A>>>;
  /** Those that a provider brings. */
  readonly wires: readonly W[];
  readonly routes: readonly object[];
  /** What of the answer is not as it was recorded; `to` is the client's wire. */
  readonly compare: (got: A, recorded: A, to: W) => string | undefined;
  /** The recording is of a failure, whatever its status: clients must learn of it. */
  readonly failed: (answer: A) => boolean;
}

/** Most wires name the model in the body. */
export const nameModel = (body: Json, model: string): Json => ({ ...body, model });
export const asIs = (body: Json): Json => body;
