import { isMap, isScalar, isSeq, type Document } from 'yaml';
import type { Path } from './problem.ts';
import { isSecretPlace } from './secret-places.ts';

type Span = readonly [start: number, end: number];

const findSecrets = function* (node: unknown, path: Path): Generator<Span> {
  if (isMap(node)) for (const { key, value } of node.items) yield* findSecrets(value, [...path, isScalar(key) ? String(key.value) : '']);
  else if (isSeq(node)) for (const [index, item] of node.items.entries()) yield* findSecrets(item, [...path, index]);
  else if (isScalar(node) && node.range && isSecretPlace(path)) yield [node.range[0], node.range[1]];
};

/** What is neither quotes nor spaces nor the name of a variable; the default of a variable may be the secret. */
const LITERAL = /\$\{(?:file:[^}]*|\w+)\}|(?<=\$\{\w+:-)[^}]*|\$\{\w+:-|(?:(?!\$\{)[^"'\s}])+/g;

const star = (literal: string): string => '*'.repeat(literal.length);

/** `${TOKEN:-abc}` as `${TOKEN:-***}`, `abc` as `***`: by default as long as it was. */
export const maskText = (text: string, mask = star): string => text.replaceAll(LITERAL, (found) => (found.startsWith('${') || found === '' ? found : mask(found)));

/** The password of `scheme://user:password@host`. */
const PASSWORD = /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*:)(?!\$\{)[^\s/@"']+(?=@)/gi;
export const maskPassword = (text: string, mask = star): string => text.replaceAll(PASSWORD, (password) => mask(password));

/** The text of a file with a star for each letter of its secrets, so that lines of it can be shown. Nothing moves. */
export const maskSecrets = (text: string, { contents }: Document.Parsed): string => {
  const spans = [...findSecrets(contents, [])];
  const pieces = spans.map(([start, end], index) => text.slice(spans[index - 1]?.[1] ?? 0, start) + maskText(text.slice(start, end)));
  return maskPassword(pieces.join('') + text.slice(spans.at(-1)?.[1] ?? 0));
};
