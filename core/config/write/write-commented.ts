import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit, type ParsedNode } from 'yaml';
import type { Path } from '../problem.ts';

export interface Comment {
  /**
   * The setting above which the comment is written; empty for the top of the file. If the setting does not exist, its
   * nearest ancestor is used.
   */
  readonly path: Path;
  readonly text: string;
}

type Commented = { commentBefore?: string | null | undefined };

const WIDTH = 120;
/** Collections up to this length are written on one line. */
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

/** The node that gets the comment of a path, and the collections along the path. */
const findBearer = (
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

/** Writes small collections on one line, and sections and their entries on separate lines. */
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

/** Writes settings as YAML, with each comment above its setting. */
export function writeCommented(settings: object, comments: readonly Comment[]): string {
  const document = new Document(settings, { aliasDuplicateObjects: false });
  const spread = new Set<unknown>();
  for (const { path, text } of comments) {
    const { bearer, passed } = findBearer(document, path);
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
