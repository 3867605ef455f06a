import type { Part } from '../../canonical/part.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import type { Tool } from '../../canonical/tool.ts';
import type { TurnPlace, WireTraits } from '../../contracts/capabilities.ts';
import { isObject } from '../../canonical/json/members.ts';
import { readObject } from '../../canonical/json/read.ts';
import { locateTools } from './client-path.ts';
import { describeField, translateField, type KnownNames } from './field-name.ts';

/** The client's names for the members of one request, for losses and errors. */
export interface ClientNames {
  /** The path of a part in the client's request; undefined for a part that a fit has changed. */
  place(part: Part): string | undefined;
  /**
   * Translates a name from the target's codec to the client's.
   * @param known names of the target's codec
   * @param sent the request that the name refers to, in which fits can have moved turns and tools
   */
  translate(name: string, known: KnownNames, sent: Pick<GenerateRequest, 'turns' | 'tools'>): string;
}

interface Index {
  /**
   * By identity of the parts, which survives most fits: turns are joined, moved and removed, but parts are rarely
   * rewritten.
   */
  readonly parts: ReadonlyMap<Part, { readonly turn: TurnPlace; readonly order: number }>;
  readonly turns: readonly TurnPlace[];
}

const indexPlaces = ({ turns }: GenerateRequest, client: WireTraits, body: unknown): Index => {
  const places = client.places?.(isObject(body) ? body : {});
  // The codec read other turns than are known here: no path is better than a wrong one.
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

/** Results so far: a turn of ten thousand parts can lose something in each of them. */
type Searched = Map<Turn, TurnPlace | undefined>;

/** Finds the place of a turn by any of its known parts. */
const searchTurn = ({ parts }: Index, searched: Searched, turn: Turn): TurnPlace | undefined => {
  if (!searched.has(turn)) {
    const known = turn.parts.find((part) => parts.has(part));
    searched.set(turn, known === undefined ? undefined : parts.get(known)?.turn);
  }
  return searched.get(turn);
};

/** Finds the place of a sent turn: by its parts, otherwise by its index if no turn was added or removed. */
const findTurn = (index: Index, searched: Searched, turns: readonly Turn[], at: number): TurnPlace | undefined => {
  const turn = turns[at];
  const found = turn === undefined ? undefined : searchTurn(index, searched, turn);
  return found ?? (turns.length === index.turns.length ? index.turns[at] : undefined);
};

/**
 * Finds the place of a part: a rewritten part counts as the one at its index if the turn has as many parts as before.
 */
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

const TOOL = /^tools\[(?<tool>\d+)\](?<tail>.*)$/;

/** The tools of the client's request. */
interface Declared {
  readonly tools: readonly Tool[];
  readonly own: ReadonlySet<Tool>;
  /** The path of each, by name. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Finds the declaration of a sent tool: by its name, otherwise by its index if no tool was added or removed. */
const findTool = ({ tools, own, paths }: Declared, sent: readonly Tool[], at: number): string | undefined => {
  const tool = sent[at];
  const inPlace = sent.length === tools.length ? tools[at] : undefined;
  const found = tool !== undefined && own.has(tool) ? tool : inPlace;
  return found && paths.get(found.namespace?.tool ?? found.name);
};

/** A turn that is a single text has no member for its parts. */
const join = (place: string, tail: string, { parts }: KnownNames): string =>
  place.endsWith(']') ? place + tail : place + tail.replace(parts, '');

/**
 * Lookups are deferred until there is a name to translate: most requests lose nothing.
 * @param client traits of the client's wire
 */
export function createClientNames(request: GenerateRequest, client: WireTraits, body: unknown): ClientNames {
  let built: Index | undefined;
  const searched: Searched = new Map();
  const index = (): Index => (built ??= indexPlaces(request, client, body));
  const conversation = describeField(client, 'conversation');
  const declarations = describeField(client, 'tools');
  let declared: Declared | undefined;
  const readDeclared = (): Declared => {
    const { tools } = request;
    return (declared ??= {
      tools,
      own: new Set(tools),
      paths: locateTools(readObject(body)[declarations], declarations),
    });
  };
  return {
    place: (part) => {
      const found = index().parts.get(part);
      return found?.turn.parts[found.order] ?? found?.turn.turn;
    },
    translate: (name, known, { turns, tools }) => {
      const { tool, tail: member = '' } = TOOL.exec(name)?.groups ?? {};
      if (tool !== undefined)
        return (findTool(readDeclared(), tools, Number(tool)) ?? `${declarations}[${tool}]`) + member;
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
