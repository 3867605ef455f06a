import { isObject } from '../../../canonical/json/members.ts';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import type { Destination } from '../../../extensions/importer.ts';

/** `${NAME}` or `${NAME:-default}`, alone or at the start of a text. */
const VARIABLE = /^\$\{(\w+)[^}]*\}/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A variable without its default, the host of an address, or the text itself: what a source and a result can share. */
export function simplify(text: string): string {
  const [, name] = VARIABLE.exec(text) ?? [];
  if (name !== undefined) return `\${${name}}`;
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text).host : text;
}

/** Only variables: a key in clear text is never shown. */
const keyOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && VARIABLE.test(text) ? simplify(text) : undefined;
};

const keysOf = ({ apiKey, apiKeys, accessKeyId, credentials }: JsonObject): readonly (string | undefined)[] => {
  const keys = Array.isArray(apiKeys) ? apiKeys : [apiKey ?? accessKeyId ?? credentials];
  return keys.map(keyOf);
};

/**
 * Where a target sends requests: one destination for each of its keys.
 * @param settings the result of the import @param id `<provider>/<model>`
 */
export function listDestinations(settings: JsonObject, id: string): readonly Destination[] {
  const slash = id.indexOf('/');
  const providers = settings['providers'];
  const provider = isObject(providers) ? providers[id.slice(0, slash)] : undefined;
  if (!isObject(provider)) return [];
  const config = isObject(provider['config']) ? provider['config'] : {};
  const place = {
    provider: simplify(textOf(config['baseUrl']) ?? String(provider['use'])),
    model: id.slice(slash + 1),
    region: textOf(config['region'] ?? config['location']),
    project: textOf(config['project']),
    organization: textOf(config['organization']),
  };
  return keysOf(config).map((key) => omitUndefined<Destination>({ ...place, key }));
}
