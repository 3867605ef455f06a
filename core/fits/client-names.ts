import type { Part } from '../canonical/part.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import { listTurnPlaces } from './client-places.ts';
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

interface Place {
  readonly turn: string;
  readonly part: string | undefined;
}

/** By the identity of the parts, which survives the fits: turns are joined, moved and left out on the way, parts hardly ever rewritten. */
const indexParts = ({ wire, turns }: GenerateRequest, body: unknown): ReadonlyMap<Part, Place> => {
  const index = new Map<Part, Place>();
  const places = listTurnPlaces(wire, body);
  // Turns that were read otherwise than is known here: no place is better than a wrong one.
  if (places === undefined || places.length !== turns.length) return index;
  for (const [at, { parts }] of turns.entries()) {
    const place = places[at];
    if (place === undefined) continue;
    const exact = place.parts.length === parts.length;
    for (const [order, part] of parts.entries()) index.set(part, { turn: place.turn, part: exact ? place.parts[order] : undefined });
  }
  return index;
};

const TURN = /^(?:messages|input|contents|turns)\[(?<turn>\d+)\](?<tail>.*)$/;
const PART = /^\.(?:content|parts)\[(?<part>\d+)\](?<tail>.*)$/;
/** Content that has no member of its own where a turn is one text. */
const CONTENT = /^\.(?:content|parts)\b(?:\[\d+\])?/;

const join = (place: string, tail: string): string => (place.endsWith(']') ? place + tail : place + tail.replace(CONTENT, ''));

/** Nothing is looked up before something has a name: most requests lose nothing. */
export const createClientNames = (request: GenerateRequest, body: unknown): ClientNames => {
  let index: ReadonlyMap<Part, Place> | undefined;
  const find = (part: Part): Place | undefined => {
    index ??= indexParts(request, body);
    return index.get(part);
  };
  const conversation = describeField(request.wire, 'conversation');
  return {
    place: (part) => {
      const found = find(part);
      return found?.part ?? found?.turn;
    },
    translate: (name, { turns }) => {
      const { turn: at, tail = '' } = TURN.exec(name)?.groups ?? {};
      if (at === undefined) return translateField(request.wire, name);
      const parts = turns[Number(at)]?.parts ?? [];
      const { part: order, tail: inside = '' } = PART.exec(tail)?.groups ?? {};
      const part = order === undefined ? undefined : parts[Number(order)];
      const exact = part === undefined ? undefined : find(part)?.part;
      if (exact !== undefined) return exact + inside;
      const turn = parts.flatMap((sibling) => find(sibling)?.turn ?? [])[0];
      return join(turn ?? conversation, order === undefined ? tail : inside);
    },
  };
};
