import type { Answer } from './answer.ts';
import type { VendorAnswers } from './vendors.ts';
import type { Json, Models, Pair, Tokens, Wire } from './wires.ts';
import type { Finish } from './words.ts';

/** What the client's SDK shows. */
export interface Expected extends Partial<Pick<Answer, 'text' | 'reasoning' | 'refusal' | 'calls' | 'sequence'>> {
  readonly finish: Finish;
  /** In the words of the client's wire, where it does not follow from `finish`. */
  readonly finishWord?: string;
  /** In the words of the client's wire, where it does not follow from the tokens of the case. */
  readonly usage?: Json;
}

/** One pair, or all pairs of a client or of an upstream: the narrower goes before the wider. */
export type Where = Pair | `${Wire}>*` | `*>${Wire}`;

/** How a pair differs from what the case says of all. */
export interface Difference extends Partial<Expected> {
  /** Top-level members of the body that the upstream gets; `undefined` takes one away. */
  readonly received?: Json;
  /** As `received`, of the second turn. */
  readonly receivedNext?: Json;
  /** The native lane cannot serve the case. */
  readonly lane?: 'translated';
}

/** A second request that holds the first answer, as the client's SDK gave it. */
export interface NextTurn {
  readonly request: Readonly<Record<Wire, (turn: readonly Json[]) => Json>>;
  /** What comes back to whom is the point. A vendor on the client's own wire gets what the client sends. */
  readonly received: Readonly<Record<Wire, Json>>;
}

/** One feature on all wires. Bodies are written without `model` and without the members that ask for a stream. */
export interface MatrixCase {
  readonly name: string;
  readonly models?: Partial<Models>;
  /** What a client of each wire asks: the same, as far as its wire has words for it. */
  readonly request: Readonly<Record<Wire, Json>>;
  /** What the vendor of each wire is sent for that by a client of another wire. From a client of its own it gets the client's body. */
  readonly received: Readonly<Record<Wire, Json>>;
  /** What the vendor of each wire answers. */
  readonly vendor: VendorAnswers;
  readonly tokens?: Tokens;
  readonly expected: Expected;
  /** What is named as lost (`field;kind`), all that fit a pair together. A client's or an upstream's `*` is all the other wires. */
  readonly losses?: Partial<Record<Where, readonly string[]>>;
  /** Of a whole answer alone: in a stream nobody waits for such members. */
  readonly plainLosses?: Partial<Record<Where, readonly string[]>>;
  readonly but?: Partial<Record<Where, Difference>>;
  readonly next?: NextTurn;
}

/** What is said of a pair, from wide to narrow. */
export const saidOf = <T>(table: Partial<Record<Where, T>> | undefined, client: Wire, wire: Wire): readonly T[] => {
  const places: readonly Where[] =
    client === wire ? [`${client}>${wire}`] : [`${client}>*`, `*>${wire}`, `${client}>${wire}`];
  return places.map((where) => table?.[where]).filter((said) => said !== undefined);
};
