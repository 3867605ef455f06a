import type { Json } from './wires.ts';

/** What an SDK returned. All members are the same for all wires, except `finish` and `usage`. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string | undefined;
  readonly calls: readonly Call[];
  /** In the words of the client's wire. */
  readonly finish: string | null;
  /** Only on messages. */
  readonly sequence?: string | null;
  /** In the words of the client's wire. */
  readonly usage: Json;
  /** The assistant turn to append to the next request: messages, items or contents. */
  readonly turn: readonly Json[];
}
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
