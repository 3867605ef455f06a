import type { Part } from '../canonical/part.ts';
import type { GenerateRequest, Turn } from '../canonical/request.ts';
import { listTurnPlaces, type TurnPlace } from './client-places.ts';
import { describeField, translateField } from './field-name.ts';

/** What losses and errors call the things of one request: what the client itself calls them. */
export interface ClientNames {
  /** Where a part of the request stood; a part that a fit has changed is not known any more. */
  place(part: Part): string | undefined;
  /**
   * A name in the words of a target's wire, or of the canonical form, as the client says it.
   * @param sent the request that the name speaks of: fits may have moved the turns
   */
  translate(name: string, sent: Pick<GenerateRequest, 'turns'>): string;
}

interface Index {
  /** By the identity of the parts, which survives most fits: turns are joined, moved and left out on the way, parts hardly ever rewritten. */
  readonly parts: ReadonlyMap<Part, { readonly turn: TurnPlace; readonly order: number }>;
  readonly turns: readonly TurnPlace[];
}

const indexPlaces = ({ wire, turns }: GenerateRequest, body: unknown): Index => {
  const places = listTurnPlaces(wire, body);
  // Turns that were read otherwise than is known here: no place is better than a wrong one.
  if (places === undefined || places.length !== turns.length) return { parts: new Map(), turns: [] };
  const known = places.map(({ turn, parts }, at) => ({ turn, parts: parts.length === turns[at]?.parts.length ? parts : [] }));
  const parts = turns.flatMap((turn, at) => {
    const place = known[at];
    return place === undefined ? [] : turn.parts.map((part, order) => [part, { turn: place, order }] as const);
  });
  return { parts: new Map(parts), turns: known };
};

/** Turns that have been looked for: a turn of ten thousand parts may lose something in each of them. */
type Searched = Map<Turn, TurnPlace | undefined>;

/** Where a turn stood: by any of its parts that is still known. */
const searchTurn = ({ parts }: Index, searched: Searched, turn: Turn): TurnPlace | undefined => {
  if (!searched.has(turn)) {
    const known = turn.parts.find((part) => parts.has(part));
    searched.set(turn, known === undefined ? undefined : parts.get(known)?.turn);
  }
  return searched.get(turn);
};

/** Where a turn that is sent stood: by its parts, else by its number where no turn has come or gone. */
const findTurn = (index: Index, searched: Searched, turns: readonly Turn[], at: number): TurnPlace | undefined => {
  const turn = turns[at];
  const found = turn === undefined ? undefined : searchTurn(index, searched, turn);
  return found ?? (turns.length === index.turns.length ? index.turns[at] : undefined);
};

/** Where a part of such a turn stood: a part that was rewritten counts as the one in its place, while the turn has as many as before. */
const findPart = ({ parts: known }: Index, turn: TurnPlace | undefined, parts: readonly Part[], order: number): string | undefined => {
  const part = parts[order];
  const found = part === undefined ? undefined : known.get(part);
  if (found !== undefined) return found.turn.parts[found.order];
  return turn?.parts.length === parts.length ? turn.parts[order] : undefined;
};

const TURN = /^(?:messages|input|contents|turns)\[(?<turn>\d+)\](?<tail>.*)$/;
const PART = /^\.(?:content|parts)\[(?<part>\d+)\](?<tail>.*)$/;
/** Content that has no member of its own where a turn is one text. */
const CONTENT = /^\.(?:content|parts)\b(?:\[\d+\])?/;

const join = (place: string, tail: string): string => (place.endsWith(']') ? place + tail : place + tail.replace(CONTENT, ''));

/** Nothing is looked up before something has a name: most requests lose nothing. */
export const createClientNames = (request: GenerateRequest, body: unknown): ClientNames => {
  let built: Index | undefined;
  const searched: Searched = new Map();
  const index = (): Index => (built ??= indexPlaces(request, body));
  const conversation = describeField(request.wire, 'conversation');
  return {
    place: (part) => {
      const found = index().parts.get(part);
      return found?.turn.parts[found.order] ?? found?.turn.turn;
    },
    translate: (name, { turns }) => {
      const { turn: at, tail = '' } = TURN.exec(name)?.groups ?? {};
      if (at === undefined) return translateField(request.wire, name);
      const turn = findTurn(index(), searched, turns, Number(at));
      const { part: order, tail: inside = '' } = PART.exec(tail)?.groups ?? {};
      if (order === undefined) return join(turn?.turn ?? conversation, tail);
      const part = findPart(index(), turn, turns[Number(at)]?.parts ?? [], Number(order));
      return part === undefined ? join(turn?.turn ?? conversation, inside) : part + inside;
    },
  };
};
