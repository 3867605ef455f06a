import { parseSync } from 'rolldown/utils';

/** Code that stands in several places with the same shape. */
export interface Repetition {
  /** How many nodes of the syntax tree each place has. */
  readonly size: number;
  /** `path:line`, in the order of the sources. */
  readonly places: readonly string[];
}

interface Source {
  readonly path: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Nodes that stand next to each other, from `start` to `end`. */
interface Piece {
  readonly nodes: readonly Node[];
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Characters: no text has more nodes. Most pieces are shorter, and their shape need not be found. */
const SHORTEST_NODE = 2;

/** Longer sequences of statements begin with one of these. */
const STATEMENTS = [2, 3, 4];

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: object): readonly Node[] => Object.values(node).flat().filter(isNode);

/**
 * The shape of nodes: their types and operators in order. Names are numbered, texts and numbers left out, so that code
 * has the same shape under other names.
 */
const shapeOf = (nodes: readonly Node[]): { readonly shape: string; readonly size: number } => {
  const names = new Map<unknown, number>();
  const words: string[] = [];
  const add = (node: Node): void => {
    words.push(node.type);
    if ('name' in node && !isNode(node.name)) {
      if (!names.has(node.name)) names.set(node.name, names.size);
      words.push(String(names.get(node.name)));
    }
    if ('operator' in node) words.push(String(node.operator));
    childrenOf(node).forEach(add);
    words.push(';');
  };
  nodes.forEach(add);
  return { shape: words.join(' '), size: words.filter((word) => word === ';').length };
};

const isFunctionOrClass = ({ type }: Node): boolean => /Function|^Class(?:Declaration|Expression)$/.test(type);

/** Functions, classes, and sequences of statements within them. */
function* piecesOf(path: string, node: Node): Generator<Piece> {
  const piece = (...nodes: readonly Node[]): Piece => ({
    nodes,
    path,
    start: nodes[0]?.start ?? 0,
    end: nodes.at(-1)?.end ?? 0,
  });
  if (isFunctionOrClass(node)) yield piece(node);
  const statements: unknown = node.type === 'BlockStatement' && 'body' in node ? node.body : [];
  if (Array.isArray(statements))
    for (const count of STATEMENTS)
      for (let from = 0; from + count <= statements.length; from += 1)
        yield piece(...(statements.slice(from, from + count) as Node[]));
  for (const child of childrenOf(node)) yield* piecesOf(path, child);
}

const overlaps = (one: Piece, other: Piece): boolean =>
  one.path === other.path && one.start < other.end && other.start < one.end;

/** Code with the same shape in two or more places, the largest first. A part of a repetition is not listed again. */
export function findRepetitions(sources: readonly Source[], smallest: number): readonly Repetition[] {
  const byShape = new Map<string, { readonly size: number; readonly pieces: Piece[] }>();
  for (const { path, text } of sources)
    for (const piece of piecesOf(path, parseSync(path, text).program)) {
      if (piece.end - piece.start < SHORTEST_NODE * smallest) continue;
      const { shape, size } = shapeOf(piece.nodes);
      if (size < smallest) continue;
      const known = byShape.get(shape) ?? { size, pieces: [] };
      byShape.set(shape, known);
      known.pieces.push(piece);
    }
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const lineOf = ({ path, start }: Piece): number => texts.get(path)!.slice(0, start).split('\n').length;
  const listed: Piece[] = [];
  return [...byShape.values()]
    .filter(({ pieces }) => pieces.length > 1)
    .toSorted((one, other) => other.size - one.size)
    .flatMap(({ size, pieces }) => {
      const fresh = pieces.filter((piece) => !listed.some((other) => overlaps(piece, other)));
      listed.push(...fresh);
      return fresh.length < 2 ? [] : [{ size, places: fresh.map((piece) => `${piece.path}:${lineOf(piece)}`) }];
    });
}
