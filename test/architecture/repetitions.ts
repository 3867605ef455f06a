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

/** A node of the syntax tree, as far as its shape depends on it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name: string | undefined;
  readonly operator: string;
  readonly children: readonly Node[];
  /** The number of nodes, with this one. */
  readonly size: number;
}

/** Nodes that stand next to each other, from `start` to `end`. */
interface Piece {
  readonly nodes: readonly Node[];
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Longer sequences of statements begin with one of these. */
const STATEMENTS = [2, 3, 4];

type Parsed = Pick<Node, 'type' | 'start' | 'end'> & Readonly<Record<string, unknown>>;

const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { size }) => sum + size, 0);

const isParsed = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const readNode = (parsed: Parsed): Node => {
  const { type, start, end, name, operator = '' } = parsed;
  const children: Node[] = [];
  for (const value of Object.values(parsed))
    if (isParsed(value)) children.push(readNode(value));
    else if (Array.isArray(value)) children.push(...value.filter(isParsed).map(readNode));
  return {
    type,
    start,
    end,
    name: typeof name === 'string' ? name : undefined,
    operator: String(operator),
    children,
    size: 1 + sizeOf(children),
  };
};

/**
 * The shape of nodes: their types and operators in order. Names are numbered, texts and numbers left out, so that code
 * has the same shape under other names.
 */
const shapeOf = (nodes: readonly Node[]): string => {
  const names = new Map<string, number>();
  const words: string[] = [];
  const add = (node: Node): void => {
    words.push(node.type, node.operator);
    if (node.name !== undefined) {
      if (!names.has(node.name)) names.set(node.name, names.size);
      words.push(String(names.get(node.name)));
    }
    node.children.forEach(add);
    words.push(';');
  };
  nodes.forEach(add);
  return words.join(' ');
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
  if (node.type === 'BlockStatement')
    for (const count of STATEMENTS)
      for (let from = 0; from + count <= node.children.length; from += 1)
        yield piece(...node.children.slice(from, from + count));
  for (const child of node.children) yield* piecesOf(path, child);
}

const overlaps = (one: Piece, other: Piece): boolean =>
  one.path === other.path && one.start < other.end && other.start < one.end;

/** Code with the same shape in two or more places, the largest first. A part of a repetition is not listed again. */
export function findRepetitions(sources: readonly Source[], smallest: number): readonly Repetition[] {
  const byShape = new Map<string, { readonly size: number; readonly pieces: Piece[] }>();
  for (const { path, text } of sources)
    for (const piece of piecesOf(path, readNode({ ...parseSync(path, text).program }))) {
      const size = sizeOf(piece.nodes);
      if (size < smallest) continue;
      const shape = shapeOf(piece.nodes);
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
