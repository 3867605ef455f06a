import type { Json } from './wires.ts';

/** What an SDK gave its user, in words that both wires share but for `finish` and `usage`. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string | undefined;
  readonly calls: readonly Call[];
  /** In the words of the client's wire. */
  readonly finish: string | null;
  readonly sequence?: string | null;
  /** In the words of the client's wire. */
  readonly usage: Json;
  /** The assistant message as the user would put it into the next request. */
  readonly turn: Json;
}
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
