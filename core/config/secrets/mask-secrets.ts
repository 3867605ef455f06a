import { isAlias, isMap, isScalar, isSeq, type Alias, type Document, type Range, type Scalar } from 'yaml';
import type { Path } from '../problem.ts';
import { isSecretPath } from './secret-paths.ts';

type Place = Scalar & { readonly range: Range };

/** What stands where secrets do; through repetitions (`*name`), each once. */
const findSecrets = function* (
  node: unknown,
  path: Path,
  document: Document.Parsed,
  followed = new Set<Alias>(),
): Generator<Place> {
  if (isMap(node))
    for (const { key, value } of node.items)
      yield* findSecrets(value, [...path, isScalar(key) ? String(key.value) : ''], document, followed);
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) yield* findSecrets(item, [...path, index], document, followed);
  else if (isAlias(node) && !followed.has(node))
    yield* findSecrets(node.resolve(document), path, document, followed.add(node));
  else if (isScalar(node) && node.range && isSecretPath(path)) yield node as Place;
};

/** What is neither quotes nor spaces nor the name of a variable; the default of a variable may be the secret. */
const LITERAL = /\$\{(?:file:[^}]*|\w+)\}|(?<=\$\{\w+:-)[^}]*|\$\{\w+:-|(?:(?!\$\{)[^"'\s}])+/g;

const star = (literal: string): string => '*'.repeat(literal.length);

/** `${TOKEN:-abc}` as `${TOKEN:-***}`, `abc` as `***`: by default as long as it was. */
export const maskText = (text: string, mask = star): string =>
  text.replaceAll(LITERAL, (found) => (found.startsWith('${') || found === '' ? found : mask(found)));

/** `scheme://user:password@host`, and `?api-key=secret` in an address. */
const IN_ADDRESS =
  /(?<=\b[a-z][\w+.-]*:\/\/[^\s:/@"']*:)(?!\$\{)[^\s/@"']+(?=@)|(?<=[?&][^=&\s]*(?:key|token|secret|password|sig)[^=&\s]*=)(?!\$\{)[^&\s"']+/gi;
export const maskUrlSecrets = (text: string, mask: (secret: string) => string = star): string =>
  text.replaceAll(IN_ADDRESS, (secret) => mask(secret));

/** From this length on a secret is one wherever it stands; a shorter one could be a piece of a word. */
export const LONG = 8;

/**
 * The text of a file with a star for each letter of its secrets, in comments too, so that lines of it can be shown.
 * Nothing moves.
 */
export function maskSecrets(text: string, document: Document.Parsed): string {
  const secrets = [...new Set(findSecrets(document.contents, [], document))].toSorted(
    (one, other) => one.range[0] - other.range[0],
  );
  const pieces = secrets.map(
    ({ range: [start, end] }, index) =>
      text.slice(secrets[index - 1]?.range[1] ?? 0, start) + maskText(text.slice(start, end)),
  );
  const masked = maskUrlSecrets(pieces.join('') + text.slice(secrets.at(-1)?.range[1] ?? 0));
  const known = secrets
    .map(({ value }) => String(value))
    .filter((value) => value.length >= LONG && !value.includes('${'));
  return known.reduce((shown, secret) => shown.replaceAll(secret, star), masked);
}
