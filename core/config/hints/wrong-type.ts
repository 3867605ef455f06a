import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { describePath } from '../describe-path.ts';
import type { Path } from '../problem.ts';

export interface WrongType {
  readonly path: Path;
  readonly data: unknown;
  readonly schema: JsonObject;
}

/** The only required setting, if it is a text: the plugin `metrics` is written as `use: metrics`. */
const findOnlyText = ({ required, properties }: JsonObject): string | undefined => {
  const [name, ...others] = readList(required);
  const only = typeof name === 'string' && others.length === 0 && isObject(properties) ? properties[name] : undefined;
  return isObject(only) && only['type'] === 'string' ? String(name) : undefined;
};

/** The setting in a text such as `use:auth`, which YAML reads as a text. The value can be a secret. */
const findJoined = (text: string, properties: unknown): string | undefined => {
  const [, name = ''] = /^(\w+):\S/.exec(text) ?? [];
  return isObject(properties) && Object.hasOwn(properties, name) ? name : undefined;
};

/** How to write a section that has another shape: a sentence with a space before it, or an empty text. */
export function describeShape({ path, data, schema }: WrongType): string {
  const { type, properties } = schema;
  if (type === 'number' || type === 'integer')
    return typeof data === 'string' ? ' Write the number alone, without quotes, unit or currency.' : '';
  if (type === 'array') return isObject(data) ? ' Begin each of its entries with "- ".' : '';
  if (type !== 'object') return '';
  if (Array.isArray(data))
    return isObject(schema['additionalProperties']) ? ' Write each of its entries as "name: …", without "- ".' : '';
  const key = path.at(-1);
  if (typeof key === 'string' && isObject(properties) && Object.hasOwn(properties, key))
    return (
      ` ${JSON.stringify(key)} is a setting of each entry of ${describePath(path.slice(0, -1))}: ` +
      'indent it below a name.'
    );
  const joined = typeof data === 'string' ? findJoined(data, properties) : undefined;
  if (joined !== undefined) return ` A space is missing after the colon: ${joined}: …`;
  const name = typeof data === 'string' ? findOnlyText(schema) : undefined;
  return name === undefined ? '' : ` Write this text as { ${name}: … }.`;
}
