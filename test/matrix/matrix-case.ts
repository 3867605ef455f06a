import type { Answer } from './answer.ts';
import type { VendorAnswers } from './vendors/vendors.ts';
import type { Json, Models, Pair, Tokens, Wire } from './wires.ts';
import type { Finish } from './wire-terms.ts';

/** What the client's SDK shows. */
export interface Expected extends Partial<
  Pick<Answer, 'text' | 'reasoning' | 'refusal' | 'calls' | 'sequence' | 'logprobs'>
> {
  readonly finish: Finish;
  /** The client wire's own finish reason, if it does not follow from `finish`. */
  readonly finishWord?: string;
  /** The client wire's own usage, if it does not follow from the tokens of the case. */
  readonly usage?: Json;
}

/** One pair, or all pairs of a client or an upstream. The narrower one wins. */
export type Where = Pair | `${Wire}>*` | `*>${Wire}`;

/** How a pair differs from the case. */
export interface Difference extends Partial<Expected> {
  /** Top-level members of the body that the upstream receives; `undefined` removes a member. */
  readonly received?: Json;
  /** Like `received`, for the second turn. */
  readonly receivedNext?: Json;
  /** The native lane cannot serve the case. */
  readonly lane?: 'translated';
}

/** A second request with the first response as the client's SDK returned it. */
export interface NextTurn {
  readonly request: Readonly<Record<Wire, (turn: readonly Json[]) => Json>>;
  /** Checks what each vendor gets back. A vendor on the client's own wire gets what the client sends. */
  readonly received: Readonly<Record<Wire, Json>>;
}

/** One feature on all wires. Bodies have no `model` and no members that request a stream. */
export interface MatrixCase {
  readonly name: string;
  readonly models?: Partial<Models>;
  /** The request of each client wire, as far as the wire can express it. */
  readonly request: Readonly<Record<Wire, Json>>;
  /**
   * The request that each vendor receives from clients of other wires. From a client of its own wire it receives the
   * client's body.
   */
  readonly received: Readonly<Record<Wire, Json>>;
  /** The response of each vendor. */
  readonly vendor: VendorAnswers;
  readonly tokens?: Tokens;
  readonly expected: Expected;
  /** The losses (`field;kind`) of all entries that match a pair. `*` stands for all other wires. */
  readonly losses?: Partial<Record<Where, readonly string[]>>;
  readonly but?: Partial<Record<Where, Difference>>;
  readonly next?: NextTurn;
}

/** The entries that match a pair, from wide to narrow. */
export const saidOf = <T>(table: Partial<Record<Where, T>> | undefined, client: Wire, wire: Wire): readonly T[] => {
  const places: readonly Where[] =
    client === wire ? [`${client}>${wire}`] : [`${client}>*`, `*>${wire}`, `${client}>${wire}`];
  return places.map((where) => table?.[where]).filter((said) => said !== undefined);
};
