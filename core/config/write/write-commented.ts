import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit, type ParsedNode } from 'yaml';
import type { Path } from '../problem.ts';

export interface Comment {
  /**
   * The setting it stands above; the head of the file when empty. One that is not there: the nearest section that is.
   */
  readonly path: Path;
  readonly text: string;
}

type Commented = { commentBefore?: string | null | undefined };

const WIDTH = 120;
/** What fits here stands on one line. */
const INLINE = 110;

const wrap = (text: string): string => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > WIDTH) lines.push('');
    lines[lines.length - 1] = `${lines.at(-1) ?? ''} ${word}`;
  }
  return lines.join('\n');
};

/** What bears the comment of a path, and every collection on the way. */
const follow = (
  document: Document,
  path: Path,
): { readonly bearer: Commented; readonly passed: readonly unknown[] } => {
  let bearer: Commented = document;
  let node: unknown = document.contents;
  const passed: unknown[] = [node];
  for (const segment of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === segment) : undefined;
    const item: unknown = isSeq(node) && typeof segment === 'number' ? node.items[segment] : pair?.value;
    if (item === undefined || item === null) break;
    bearer = isScalar(pair?.key) ? pair.key : (item as ParsedNode);
    node = item;
    passed.push(node);
  }
  return { bearer, passed };
};

/** Small things on one line, as people write them; sections and their entries one below the other. */
const layOut = (document: Document, spread: ReadonlySet<unknown>): void => {
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && node.value.includes('${')) node.type = 'QUOTE_DOUBLE';
    },
    Collection: (_key, node, ancestors) => {
      const depth = ancestors.filter((ancestor) => isCollection(ancestor)).length;
      const isItem =
        isSeq(ancestors.at(-1)) &&
        isMap(node) &&
        node.items.length > 1 &&
        node.items.every((pair) => isPair(pair) && isScalar(pair.value));
      if (
        (depth > 2 || (depth === 2 && isItem)) &&
        !spread.has(node) &&
        JSON.stringify(node.toJS(document)).length <= INLINE
      )
        node.flow = true;
    },
  });
};

/** Settings as YAML, each comment above what it belongs to. */
export function writeCommented(settings: object, comments: readonly Comment[]): string {
  const document = new Document(settings, { aliasDuplicateObjects: false });
  const spread = new Set<unknown>();
  for (const { path, text } of comments) {
    const { bearer, passed } = follow(document, path);
    bearer.commentBefore = [
      ...(typeof bearer.commentBefore === 'string' ? [bearer.commentBefore] : []),
      wrap(text),
    ].join('\n');
    passed.forEach((node) => spread.add(node));
  }
  layOut(document, spread);
  for (const pair of isMap(document.contents) ? document.contents.items.slice(1) : [])
    if (isScalar(pair.key)) pair.key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}
