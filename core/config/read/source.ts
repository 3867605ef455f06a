import type { Document, Pair, ParsedNode, Scalar, YAMLMap } from 'yaml';
import { findAliasFlaws, findDuplicateKeys, findTooDeep } from './document-flaws.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import type { Finding, Path, Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';
import { yamlLibrary } from './yaml-library.ts';
import { describeYamlErrors, TOO_DEEP } from './yaml-messages.ts';

/** A YAML file, with the positions of its settings. */
export interface Source {
  readonly file: string;
  /** Whether the file sets the path; otherwise its value is a default. */
  has(path: Path): boolean;
  locate(finding: Finding): Problem;
  /** The position of the key of the path or, in a list, of the item. */
  findKey(path: Path): Position;
}

/** A file that the library of YAML has parsed. */
export interface ParsedSource extends Source {
  readonly text: string;
  readonly document: Document.Parsed;
  /** Problems of the file as YAML. */
  readonly problems: readonly Problem[];
  /** The scalar at a path. Aliases are followed. */
  scalar(path: Path): Scalar | undefined;
  /** A problem at an offset in the text. */
  problemAt(offset: number, rule: Rule, message: string, severity?: Problem['severity']): Problem;
}

/** Line and column start at 1. */
export type Position = Pick<Problem, 'file' | 'line' | 'column'>;

interface NodePosition {
  readonly node: ParsedNode | null;
  /** Offset of the key of the node or, in a list, of the item. */
  readonly key: number;
  readonly exact: boolean;
}

/** The message for a key that is defined a second time. */
export const describeDuplicateKey = (key: string, { file, line, column }: Position): string =>
  `The key ${JSON.stringify(key)} is already defined at ${file}:${line}:${column}. Remove one of the two.`;

type Pairs = ReadonlyMap<string, Pair<ParsedNode, ParsedNode | null>>;

/** Indexes of the mappings that were searched: a catalog can have ten thousand keys. */
const indexes = new WeakMap<object, Pairs>();
const pairsOf = (map: YAMLMap<ParsedNode, ParsedNode | null>): Pairs => {
  const found = indexes.get(map);
  if (found !== undefined) return found;
  const { isScalar } = yamlLibrary();
  // The first of two equal keys counts. Later entries of a Map win, so the order is reversed.
  const pairs = new Map(
    map.items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
  );
  indexes.set(map, pairs);
  return pairs;
};

const stepInto = (
  document: Document.Parsed,
  from: ParsedNode | null,
  segment: string | number,
): Omit<NodePosition, 'exact'> | undefined => {
  const { isAlias, isMap, isSeq } = yamlLibrary();
  const node = isAlias(from) ? from.resolve(document) : from;
  if (isMap<ParsedNode, ParsedNode | null>(node)) {
    const pair = pairsOf(node).get(String(segment));
    return pair && { node: pair.value, key: pair.key.range[0] };
  }
  const item = isSeq<ParsedNode>(node) && typeof segment === 'number' ? node.items[segment] : undefined;
  return item && { node: item, key: item.range[0] };
};

/** Follows a path as far as the file has it. */
const findNode = (document: Document.Parsed, path: Path): NodePosition => {
  let found: NodePosition = { node: document.contents, key: document.contents?.range[0] ?? 0, exact: true };
  for (const segment of path) {
    const next = stepInto(document, found.node, segment);
    if (next === undefined) return { ...found, exact: false };
    found = { ...next, exact: true };
  }
  return found;
};

const offsetOf = ({ node, key, exact }: NodePosition, on: Finding['on']): number => {
  const { isAlias, isScalar } = yamlLibrary();
  const isValue = exact && on === undefined && (isScalar(node) || isAlias(node));
  return isValue && node.range[0] < node.range[2] ? node.range[0] : key;
};

const MAX_WIDTH = 140;
/** How much of a longer line is shown before the caret. */
const BEFORE = 100;

/** Characters that terminals draw two columns wide, a subset of https://www.unicode.org/reports/tr11/. */
const WIDE = new RegExp(
  String.raw`\p{Emoji_Presentation}` +
    String.raw`|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff]` +
    String.raw`|[\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]`,
  'u',
);
/** Control characters: a terminal would execute them. */
const CONTROLS = /(?!\t)\p{Cc}/gu;

/** Spaces that are as wide as the text is drawn. */
const blank = (text: string): string => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return Array.from(graphemes, ({ segment }) => (segment === '\t' ? '\t' : WIDE.test(segment) ? '  ' : ' ')).join('');
};

/** The line, the line above it, and a caret below the column. A long line is cut to the part around the column. */
function describeFrame(lines: readonly string[], line: number, column: number): string {
  const width = String(line).length;
  const from = column - 1 < MAX_WIDTH ? 0 : column - 1 - BEFORE;
  const cut = (number: number): string =>
    (lines[number - 1] ?? '').slice(from, from + MAX_WIDTH).replace(CONTROLS, '\ufffd');
  const show = (number: number, mark: string): string =>
    `${mark} ${String(number).padStart(width)} | ${from > 0 ? '…' : ''}${cut(number)}`.trimEnd();
  const above = line > 1 ? [show(line - 1, ' ')] : [];
  return [
    ...above,
    show(line, '>'),
    `  ${' '.repeat(width)} | ${from > 0 ? ' ' : ''}${blank(cut(line).slice(0, column - 1 - from))}^`,
  ].join('\n');
}

type Locator = Pick<ParsedSource, 'problemAt'> & { positionOf(offset: number): Position };

const findYamlProblems = (
  text: string,
  document: Document.Parsed,
  merge: boolean,
  { positionOf, problemAt }: Locator,
): readonly Problem[] => {
  const invalid = (offset: number, message: string): Problem => problemAt(offset, 'invalid-yaml', message);
  const tooDeep = document.errors.length === 0 ? findTooDeep(document) : undefined;
  // YAML 1.1 has other numbers and booleans, and merge keys.
  const isOtherVersion = !merge && document.directives.yaml.version !== '1.2';
  const directive = Math.max(0, text.search(/^%YAML/m));
  return [
    ...(isOtherVersion ? [invalid(directive, 'Only YAML 1.2 is supported. Remove this line.')] : []),
    ...describeYamlErrors(document.errors, text, document).map(({ offset, message }) => invalid(offset, message)),
    ...describeYamlErrors(document.warnings, text, document).map(({ offset, message }) =>
      problemAt(offset, 'invalid-yaml', message, 'warning'),
    ),
    ...(tooDeep === undefined ? [] : [invalid(tooDeep, TOO_DEEP)]),
    ...findAliasFlaws(document).map(({ offset, message }) => invalid(offset, message)),
    ...findDuplicateKeys(document).map(({ key, offset, first }) =>
      problemAt(offset, 'duplicate-key', describeDuplicateKey(key, positionOf(first))),
    ),
  ];
};

export interface ParseOptions {
  /** Resolve merge keys (`<<`), for files of other gateways. Merged settings have no position. */
  readonly merge?: boolean;
}

/** @param file the path as problems show it */
export function parseSource(file: string, text: string, { merge = false }: ParseOptions = {}): ParsedSource {
  const { isAlias, isScalar, LineCounter, parseDocument } = yamlLibrary();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    merge,
  });
  let shown: readonly string[] | undefined;
  /** Computed on demand: only a file with problems is shown. */
  const lines = (): readonly string[] => (shown ??= maskSecrets(text, document).split(/\r?\n/));
  const positionOf = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problemAt: ParsedSource['problemAt'] = (offset, rule, message, severity = 'error') => {
    const { line, column } = positionOf(offset);
    return { file, line, column, severity, rule, message, frame: describeFrame(lines(), line, column) };
  };
  return {
    file,
    text,
    document,
    problems: findYamlProblems(text, document, merge, { positionOf, problemAt }),
    scalar: (path) => {
      const { node, exact } = findNode(document, path);
      const found = isAlias(node) ? node.resolve(document) : node;
      return exact && isScalar(found) ? found : undefined;
    },
    has: (path) => findNode(document, path).exact,
    findKey: (path) => positionOf(findNode(document, path).key),
    locate: ({ path, on, severity, rule, message }) =>
      problemAt(offsetOf(findNode(document, path), on), rule, message, severity),
    problemAt,
  };
}
