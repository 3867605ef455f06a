import type { Alias, Document, Range, Scalar } from 'yaml';
import type { Path } from '../problem.ts';
import { yamlLibrary } from '../read/yaml-library.ts';
import { isSecretPath } from './secret-paths.ts';

/** Names under which people write secrets, also where the gateway has no such setting. */
const SECRET_NAME =
  /^(?:key|token|authorization|.*(?:api[-_]?keys?|secret|password|(?:access|auth|admin)[-_]?token))$/i;

/**
 * Whether text is probably a secret at the wrong place, such as `apiKey` beside `use`, or `alice: secret` below `keys`.
 * Its line is shown with the problem. TLS files have paths.
 */
const isMisplacedSecret = (path: Path, value: unknown): boolean => {
  const names = path.filter((segment) => typeof segment === 'string');
  const [parent, name] = [names.at(-2), names.at(-1) ?? ''];
  if (typeof value !== 'string' || parent === 'tls') return false;
  return SECRET_NAME.test(name) || (names[0] === 'organizations' && parent === 'keys');
};

type PlacedScalar = Scalar & { readonly range: Range };

/** The scalars at the paths of secrets. Aliases are followed, each once. */
const findSecrets = function* (
  node: unknown,
  path: Path,
  document: Document.Parsed,
  followed = new Set<Alias>(),
): Generator<PlacedScalar> {
  const { isAlias, isMap, isScalar, isSeq } = yamlLibrary();
  if (isMap(node))
    for (const { key, value } of node.items)
      yield* findSecrets(value, [...path, isScalar(key) ? String(key.value) : ''], document, followed);
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) yield* findSecrets(item, [...path, index], document, followed);
  else if (isAlias(node) && !followed.has(node))
    yield* findSecrets(node.resolve(document), path, document, followed.add(node));
  else if (isScalar(node) && node.range && (isSecretPath(path) || isMisplacedSecret(path, node.value)))
    yield node as PlacedScalar;
};

/** Matches text that is not a quote, a space or the name of a variable. The default of a variable can be a secret. */
const LITERAL = /\$\{(?:file:[^}]*|\w+)\}|(?<=\$\{\w+:-)[^}]*|\$\{\w+:-|(?:(?!\$\{)[^"'\s}])+/g;

const toStars = (literal: string): string => '*'.repeat(literal.length);

/** Masks `${TOKEN:-abc}` as `${TOKEN:-***}` and `abc` as `***`, by default without changing the length. */
export const maskText = (text: string, mask = toStars): string =>
  text.replaceAll(LITERAL, (found) => (found.startsWith('${') || found === '' ? found : mask(found)));

/** The password in `scheme://user:password@host`. */
const URL_PASSWORD = /(?<=\b[a-z][\w+.-]*:\/\/[^\s:/@"']*:)(?!\$\{)[^\s/@"']+(?=@)/;
/** The token in `https://token@host`. */
const URL_TOKEN = /(?<=\bhttps?:\/\/)(?!\$\{)[^\s:/@"']+(?=@)/;
/** The secret in `?api-key=secret`. */
const QUERY_SECRET = /(?<=[?&][^=&\s]*(?:key|token|secret|password|sig)[^=&\s]*=)(?!\$\{)[^&\s"']+/;
const IN_URL = new RegExp(`${URL_PASSWORD.source}|${URL_TOKEN.source}|${QUERY_SECRET.source}`, 'gi');
/** Masks passwords and secrets in the URLs of a text. Most texts have no character of them. */
export const maskUrlSecrets = (text: string, mask: (secret: string) => string = toStars): string =>
  text.includes('://') || text.includes('=') ? text.replaceAll(IN_URL, (secret) => mask(secret)) : text;

/** Secrets of at least this length are masked wherever they occur. A shorter one could be part of a word. */
export const MIN_SEARCHED_LENGTH = 8;

/**
 * Replaces each character of the secrets in a file with a star, in comments as well, so that its lines can be shown.
 * Offsets stay the same.
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
    .filter((value) => value.length >= MIN_SEARCHED_LENGTH && !value.includes('${'));
  return known.reduce((shown, secret) => shown.replaceAll(secret, toStars), masked);
}
