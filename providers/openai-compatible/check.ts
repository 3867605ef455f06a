import type { OptionFinding } from '../../core/api/index.ts';
import { operations } from './operations.ts';
import type { BodySettings, CompatibleOptions } from './schema.ts';

/**
 * Headers of one connection, of which the HTTP client takes care.
 * https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The gateway decides their values: other values would bypass the catalog and its prices, or break the response. */
const fixed: ReadonlySet<string> = new Set(['model', 'stream', 'messages', 'input']);

const finding = (path: OptionFinding['path'], message: string): OptionFinding => ({ path, message });
const warning = (path: OptionFinding['path'], message: string): OptionFinding => ({
  path,
  message,
  severity: 'warning',
});

const checkHeaders = ({ headers = {}, auth = {} }: CompatibleOptions): readonly OptionFinding[] => {
  const names = Object.keys(headers);
  const key = auth.header?.toLowerCase() ?? (auth.prefix === undefined ? undefined : 'authorization');
  return names.flatMap((name, index) => {
    const path = ['headers', name];
    const lower = name.toLowerCase();
    if (ofConnection.has(lower))
      return finding(path, `The header ${lower} belongs to the connection, and the gateway sets it. Remove it.`);
    if (names.findIndex((other) => other.toLowerCase() === lower) !== index)
      return finding(path, `The header ${lower} is listed twice, in different letter case. Remove one of them.`);
    return lower === key
      ? finding(path, `auth sends the API key in the header ${lower}. Remove the header here, or choose another there.`)
      : [];
  });
};

const checkAuth = ({ auth = {} }: CompatibleOptions): readonly OptionFinding[] => {
  const header = auth.header?.toLowerCase() ?? '';
  const isTaken = ofConnection.has(header) || header === 'content-type';
  const isWord = /[a-z0-9]$/i.test(auth.prefix ?? '');
  return [
    ...(isTaken
      ? [finding(['auth', 'header'], `A key cannot be sent as ${header}: the gateway sets this header.`)]
      : []),
    ...(isWord
      ? [warning(['auth', 'prefix'], 'The prefix has no space at its end, so the key follows it directly.')]
      : []),
  ];
};

const checkPaths = ({ paths = {}, wires = [] }: CompatibleOptions): readonly OptionFinding[] =>
  Object.entries(paths).flatMap(([name, path]) => {
    if (path.split('/').some((segment) => segment === '.' || segment === '..'))
      return finding(['paths', name], 'A path cannot have the segments . and .., which servers resolve differently.');
    if (name === 'models') return [];
    const { wire } = operations[name as keyof typeof operations];
    return wires.length === 0 || wires.includes(wire)
      ? []
      : warning(['paths', name], `The path is not used: add ${wire} to wires, or remove it.`);
  });

const checkQuery = ({ baseUrl, query = {} }: CompatibleOptions): readonly OptionFinding[] =>
  Object.keys(query)
    .filter((name) => URL.canParse(baseUrl) && new URL(baseUrl).searchParams.has(name))
    .map((name) => finding(['query', name], `baseUrl has the parameter ${name} as well. Remove one of them.`));

const checkRenames = (rename: Readonly<Record<string, string>>): readonly OptionFinding[] => {
  const renames = Object.entries(rename);
  return renames.flatMap(([from, to]) => {
    const path = ['body', 'rename', from];
    if (fixed.has(to)) return finding(path, `The gateway sets ${to} itself, so no member can be renamed to it.`);
    if (Object.hasOwn(rename, to))
      return finding(
        path,
        `${to} is renamed as well, so the renames are a chain or a cycle. ` +
          'Rename each member to the name that the server reads.',
      );
    return renames.some(([other, name]) => name === to && other !== from)
      ? finding(path, `Two members are renamed to ${to}. Keep one of them.`)
      : [];
  });
};

const checkMember = (name: string, operation: 'set' | 'remove'): string | undefined => {
  if (name === '__proto__') return 'A member cannot have the name __proto__.';
  if (!fixed.has(name) || (operation === 'remove' && name === 'model')) return undefined;
  return operation === 'set'
    ? `The gateway sets ${name} itself: it comes from the request and the catalog.`
    : `The server needs ${name}: it cannot be removed. If it has another name there, use rename.`;
};

const checkBody = ({ set = {}, remove = [], rename = {} }: BodySettings): readonly OptionFinding[] => {
  const settled = (name: string): string | undefined =>
    Object.hasOwn(rename, name) ? `${name} is in rename as well. Remove it here.` : undefined;
  const removed = remove.flatMap((name, index) => {
    const message = checkMember(name, 'remove') ?? settled(name);
    return message === undefined ? [] : finding(['body', 'remove', index], message);
  });
  const targets = new Set(Object.values(rename));
  const added = Object.keys(set).flatMap((name) => {
    const isTarget = targets.has(name) ? `A member is renamed to ${name}, so it cannot be set.` : undefined;
    const isRemoved = remove.includes(name) ? `${name} is in remove as well. Remove one of them.` : undefined;
    const message = checkMember(name, 'set') ?? isTarget ?? isRemoved;
    return message === undefined ? [] : finding(['body', 'set', name], message);
  });
  return [...removed, ...added, ...checkRenames(rename)];
};

/** Settings that contradict each other, which the schema cannot express. */
export const checkSettings = (options: CompatibleOptions): readonly OptionFinding[] => [
  ...checkAuth(options),
  ...checkHeaders(options),
  ...checkPaths(options),
  ...checkQuery(options),
  ...checkBody(options.body ?? {}),
];
