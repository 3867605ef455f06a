import { openCallId } from '../../providers/openai/chat-completions/sealed-ids.ts';
import type { Json } from './wires.ts';

/** What an SDK returned. All members are the same for all wires, except `finish` and `usage`. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string | undefined;
  readonly calls: readonly Call[];
  /** Of each token. Absent: there are none. */
  readonly logprobs?: readonly Token[];
  /** In the words of the client's wire. */
  readonly finish: string | null;
  /** Only on messages. */
  readonly sequence?: string | null;
  /** In the words of the client's wire. */
  readonly usage: Json;
  /** The assistant turn to append to the next request: messages, items or contents. */
  readonly turn: readonly Json[];
}
/** A token with the most likely ones at its place. */
export interface Token {
  readonly token: string;
  readonly logprob: number;
  readonly top: readonly (readonly [token: string, logprob: number])[];
}
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The calls of an answer, with the ids of the vendor: clients of chat get the proof of a call in its id. */
export const withoutProofs = (calls: Answer['calls']): Answer['calls'] =>
  calls.map((call) => ({ ...call, id: openCallId(call.id).id }));
