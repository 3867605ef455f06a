import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { findAliasFlaws } from './alias-flaws.ts';
import { findDuplicateKeys } from './duplicate-keys.ts';
import { describeFrame } from './frame.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { findTooDeep, TOO_DEEP } from './nesting.ts';
import type { Finding, Path, Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';

/** A parsed YAML file that remembers where everything stands. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  /** What YAML itself finds wrong. */
  readonly problems: readonly Problem[];
  /** The scalar at a path, through anchors. */
  scalar(path: Path): Scalar | undefined;
  /** Is the path written in the file (and not a default)? */
  has(path: Path): boolean;
  locate(finding: Finding): Problem;
  /** Where the key stands that leads to the path, or the item of a list. */
  findKey(path: Path): Position;
  /** A problem at an offset of the text. */
  problemAt(offset: number, rule: Rule, message: string, severity?: Problem['severity']): Problem;
}

/** Lines and columns begin with 1. */
export type Position = Pick<Problem, 'file' | 'line' | 'column'>;

interface Place {
  readonly node: ParsedNode | null;
  /** Start of the key that leads to the node, or of the list item. */
  readonly key: number;
  readonly exact: boolean;
}

/** Of a key that stands at `first` and again. */
export const describeTwice = (key: string, { file, line, column }: Position): string =>
  `The key ${JSON.stringify(key)} stands in ${file}:${line}:${column} already.`;

type Pairs = ReadonlyMap<string, Pair<ParsedNode, ParsedNode | null>>;

/** Of each mapping that was looked into: a catalog may have ten thousand keys. */
const known = new WeakMap<object, Pairs>();
const pairsOf = (map: YAMLMap<ParsedNode, ParsedNode | null>): Pairs => {
  const found = known.get(map);
  if (found !== undefined) return found;
  // Of keys that stand twice the first counts: later entries of a Map win.
  const pairs = new Map(
    map.items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
  );
  known.set(map, pairs);
  return pairs;
};

const stepInto = (
  document: Document.Parsed,
  from: ParsedNode | null,
  segment: string | number,
): Omit<Place, 'exact'> | undefined => {
  const node = isAlias(from) ? from.resolve(document) : from;
  if (isMap<ParsedNode, ParsedNode | null>(node)) {
    const pair = pairsOf(node).get(String(segment));
    return pair && { node: pair.value, key: pair.key.range[0] };
  }
  const item = isSeq<ParsedNode>(node) && typeof segment === 'number' ? node.items[segment] : undefined;
  return item && { node: item, key: item.range[0] };
};

/** Follows a path as far as it is written. */
const findPlace = (document: Document.Parsed, path: Path): Place => {
  let place: Place = { node: document.contents, key: document.contents?.range[0] ?? 0, exact: true };
  for (const segment of path) {
    const next = stepInto(document, place.node, segment);
    if (next === undefined) return { ...place, exact: false };
    place = { ...next, exact: true };
  }
  return place;
};

const offsetOf = ({ node, key, exact }: Place, on: Finding['on']): number =>
  exact && on === undefined && (isScalar(node) || isAlias(node)) && node.range[0] < node.range[2] ? node.range[0] : key;

/** What the library says for programmers. */
const said: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'A second document begins here (---): one file is one document.',
  RESOURCE_EXHAUSTION: TOO_DEEP,
  NON_STRING_KEY: 'A key must be text.',
};

/** Where the parser gives up, what else it says is noise. */
const withoutNoise = (errors: readonly YAMLError[]): readonly YAMLError[] => {
  const end = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return end === undefined ? errors : [end];
};

export interface ParseOptions {
  /** Follow merge keys (`<<`), as other gateways do. Places are not known of what they bring. */
  readonly merge?: boolean;
}

/** @param file as problems name it */
export function parseSource(file: string, text: string, { merge = false }: ParseOptions = {}): Source {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    merge,
  });
  let shown: readonly string[] | undefined;
  /** Only a file with problems is shown. */
  const lines = (): readonly string[] => (shown ??= maskSecrets(text, document).split(/\r?\n/));
  const positionOf = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problemAt: Source['problemAt'] = (offset, rule, message, severity = 'error') => {
    const { line, column } = positionOf(offset);
    return { file, line, column, severity, rule, message, frame: describeFrame(lines(), line, column) };
  };
  const describeYaml = ({ pos: [offset], code, message }: YAMLError, severity: Problem['severity']): Problem =>
    problemAt(offset, 'invalid-yaml', said[code] ?? `${message.replace(/\.$/, '')}.`, severity);
  const tooDeep = document.errors.length === 0 ? findTooDeep(document) : undefined;
  // Another YAML has other numbers and booleans, and merge keys.
  const isForeign = !merge && document.directives.yaml.version !== '1.2';
  return {
    file,
    text,
    document,
    problems: [
      ...(isForeign
        ? [
            problemAt(
              Math.max(0, text.search(/^%YAML/m)),
              'invalid-yaml',
              'The file is read as YAML 1.2, and no other: remove this line.',
            ),
          ]
        : []),
      ...withoutNoise(document.errors).map((error) => describeYaml(error, 'error')),
      ...document.warnings.map((warning) => describeYaml(warning, 'warning')),
      ...(tooDeep === undefined ? [] : [problemAt(tooDeep, 'invalid-yaml', TOO_DEEP)]),
      ...findAliasFlaws(document).map(({ offset, message }) => problemAt(offset, 'invalid-yaml', message)),
      ...findDuplicateKeys(document).map(({ key, offset, first }) =>
        problemAt(offset, 'duplicate-key', describeTwice(key, positionOf(first))),
      ),
    ],
    scalar: (path) => {
      const { node, exact } = findPlace(document, path);
      const found = isAlias(node) ? node.resolve(document) : node;
      return exact && isScalar(found) ? found : undefined;
    },
    has: (path) => findPlace(document, path).exact,
    findKey: (path) => positionOf(findPlace(document, path).key),
    locate: ({ path, on, severity, rule, message }) =>
      problemAt(offsetOf(findPlace(document, path), on), rule, message, severity),
    problemAt,
  };
}
