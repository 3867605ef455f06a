import type { Json } from './wires.ts';

/** What an SDK gave its user, in words that all wires share but for `finish` and `usage`. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string | undefined;
  readonly calls: readonly Call[];
  /** In the words of the client's wire. */
  readonly finish: string | null;
  /** On messages alone. */
  readonly sequence?: string | null;
  /** In the words of the client's wire. */
  readonly usage: Json;
  /** The assistant's side as the user would put it into the next request: messages, items or contents. */
  readonly turn: readonly Json[];
}
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
