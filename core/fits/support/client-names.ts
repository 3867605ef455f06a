import type { Part } from '../../canonical/part.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import type { TurnPlace, WireTraits } from '../../contracts/capabilities.ts';
import { isObject } from '../../canonical/json/members.ts';
import { describeField, translateField, type KnownNames } from './field-name.ts';

/** What losses and errors call the things of one request: what the client itself calls them. */
export interface ClientNames {
  /** Where a part of the request stood; a part that a fit has changed is not known any more. */
  place(part: Part): string | undefined;
  /**
   * A name that the codec of the target gave, as the client calls it.
   * @param known what the target's codec calls things
   * @param sent the request that the name speaks of: fits may have moved the turns
   */
  translate(name: string, known: KnownNames, sent: Pick<GenerateRequest, 'turns'>): string;
}

interface Index {
  /** By the identity of the parts, which survives most fits: turns are joined, moved and left out on the way, parts hardly ever rewritten. */
  readonly parts: ReadonlyMap<Part, { readonly turn: TurnPlace; readonly order: number }>;
  readonly turns: readonly TurnPlace[];
}

const indexPlaces = ({ turns }: GenerateRequest, client: WireTraits, body: unknown): Index => {
  const places = client.places?.(isObject(body) ? body : {});
  // Turns that were read otherwise than is known here: no place is better than a wrong one.
  if (places === undefined || places.length !== turns.length) return { parts: new Map(), turns: [] };
  const known = places.map(({ turn, parts }, at) => ({
    turn,
    parts: parts.length === turns[at]?.parts.length ? parts : [],
  }));
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
const findPart = (
  { parts: known }: Index,
  turn: TurnPlace | undefined,
  parts: readonly Part[],
  order: number,
): string | undefined => {
  const part = parts[order];
  const found = part === undefined ? undefined : known.get(part);
  if (found !== undefined) return found.turn.parts[found.order];
  return turn?.parts.length === parts.length ? turn.parts[order] : undefined;
};

/** A turn that is one text has no member for its parts. */
const join = (place: string, tail: string, { parts }: KnownNames): string =>
  place.endsWith(']') ? place + tail : place + tail.replace(parts, '');

/**
 * Nothing is looked up before something has a name: most requests lose nothing.
 * @param client what the wire of the client says of itself
 */
export function createClientNames(request: GenerateRequest, client: WireTraits, body: unknown): ClientNames {
  let built: Index | undefined;
  const searched: Searched = new Map();
  const index = (): Index => (built ??= indexPlaces(request, client, body));
  const conversation = describeField(client, 'conversation');
  return {
    place: (part) => {
      const found = index().parts.get(part);
      return found?.turn.parts[found.order] ?? found?.turn.turn;
    },
    translate: (name, known, { turns }) => {
      const { turn: at, tail = '' } = known.turn.exec(name)?.groups ?? {};
      if (at === undefined) return translateField(client, known, name);
      const turn = findTurn(index(), searched, turns, Number(at));
      const { part: order, tail: inside = '' } = known.part.exec(tail)?.groups ?? {};
      if (order === undefined) return join(turn?.turn ?? conversation, tail, known);
      const part = findPart(index(), turn, turns[Number(at)]?.parts ?? [], Number(order));
      return part === undefined ? join(turn?.turn ?? conversation, inside, known) : part + inside;
    },
  };
}
