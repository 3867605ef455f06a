import type { ApiKeys, Headers, Services, UpstreamCall, UpstreamRequest } from '../../core/api/index.ts';
import { createKeys } from '../../core/api/internal.ts';
import { operations, type CompatibleOperation } from './operations.ts';
import type { CompatibleOptions, Quirks } from './schema.ts';

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. The credential of a server without keys is `none`, and its secret
 * is empty. Headers and query parameters can be secrets as well, so they count for the versions.
 */
export function readKeys(
  { apiKey = '', apiKeys = [], headers, query }: CompatibleOptions,
  services: Services,
): ApiKeys {
  const given = [apiKey, ...apiKeys].filter((secret) => typeof secret !== 'string' || secret.trim() !== '');
  const secrets = given.map((secret, index) => [`key-${index + 1}`, secret] as const);
  return createKeys(
    new Map(secrets.length === 0 ? [['none', '']] : secrets),
    services,
    JSON.stringify([headers, query]),
  );
}

const lowerNames = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The header of the key, and the text before it. */
const describeAuth = ({ auth = {} }: Quirks): { readonly header: string; readonly prefix: string } => {
  const header = auth.header?.toLowerCase() ?? 'authorization';
  return { header, prefix: auth.prefix ?? (header === 'authorization' ? 'Bearer ' : '') };
};

/** Where the list of models is, if `paths` does not say. */
const LIST_PATH = '/models';

/** Some vendors have the messages wire at another address. */
const baseOf = (
  { baseUrl, messagesUrl = baseUrl }: CompatibleOptions,
  operation: CompatibleOperation | 'models',
): string => (operation === 'messages' ? messagesUrl : baseUrl);

/** The path of an operation, its query included. Names such as `org/model` keep their slash. */
const pathOf = (options: CompatibleOptions, operation: CompatibleOperation | 'models', model: string): string => {
  const { pathname, search } = new URL(baseOf(options, operation));
  const path = options.paths?.[operation] ?? (operation === 'models' ? LIST_PATH : operations[operation].path);
  const named = path.replaceAll('{model}', () => model.split('/').map(encodeURIComponent).join('/'));
  const query = [search.slice(1), new URLSearchParams(options.query).toString()]
    .filter((part) => part !== '')
    .join('&');
  // The tokenizer of vLLM is beside the versioned API.
  const base = pathname.replace(operation === 'tokenize' ? /(?:\/v1)?\/*$/ : /\/+$/, '');
  return `${base}${named}${query === '' ? '' : `?${query}`}` || '/';
};

/**
 * The address and headers of calls of one operation to one model, or of the list of models. What is the same for all
 * calls is prepared once.
 */
export function createAddress(
  options: CompatibleOptions,
  keys: ApiKeys,
  operation: CompatibleOperation | 'models',
  model: string,
): (call: UpstreamCall) => UpstreamRequest {
  const target = { origin: new URL(baseOf(options, operation)).origin, path: pathOf(options, operation, model) };
  const { header, prefix } = describeAuth(options);
  const byCredential = keys.prepare((secret): Headers => ({
    'content-type': 'application/json',
    ...(secret === '' ? {} : { [header]: prefix + secret }),
    ...lowerNames(options.headers ?? {}),
  }));
  return ({ credential, headers, body }) => ({
    ...target,
    headers: { ...headers, ...byCredential.get(credential) },
    body,
  });
}
