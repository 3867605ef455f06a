import { isObject } from '../canonical/json/members.ts';
import type { AnyErrorCode } from '../errors/codes.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Definitions, ExtensionKind } from './extension.ts';

/** The version of the public API of this gateway. */
const API_VERSION = 1;

interface Defect {
  readonly code: AnyErrorCode;
  readonly message: string;
}

const invalid = (message: string): Defect => ({ code: 'KOINE_EXTENSION_INVALID', message });
const describeValue = (value: unknown): string =>
  value === undefined
    ? 'missing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : `of type ${typeof value}`;

const checkList = (name: string, value: unknown): Defect | undefined =>
  value === undefined || Array.isArray(value) ? undefined : invalid(`its "${name}" is not an array`);

const lists: Readonly<Record<ExtensionKind, readonly string[]>> = {
  provider: ['codecs', 'framings', 'models'],
  plugin: ['enforces'],
};

const findDefect = (kind: ExtensionKind, value: unknown): Defect | undefined => {
  if (!isObject(value))
    return invalid(`it has no default export made by define${kind === 'plugin' ? 'Plugin' : 'Provider'}()`);
  if (value['apiVersion'] !== API_VERSION)
    return value['apiVersion'] === undefined
      ? invalid('its definition has no "apiVersion"')
      : {
          code: 'KOINE_EXTENSION_API_VERSION',
          message:
            `it needs version ${String(value['apiVersion'])} of the API, but this gateway has version ` +
            `${API_VERSION}`,
        };
  if (value['kind'] !== kind)
    return invalid(
      typeof value['kind'] === 'string'
        ? `it is a ${value['kind']}, but is used as a ${kind}`
        : 'its definition has no "kind"',
    );
  if (typeof value['name'] !== 'string' || !/^[a-z][a-z0-9-]*$/.test(value['name']))
    return invalid('its "name" must consist of lower-case letters, digits and dashes');
  if (!isObject(value['schema']))
    return invalid(`its "schema" is ${describeValue(value['schema'])}, but must be a JSON Schema of its settings`);
  if (typeof value['create'] !== 'function')
    return invalid(`its "create" is ${describeValue(value['create'])}, but must be a function`);
  if (value['check'] !== undefined && typeof value['check'] !== 'function')
    return invalid(`its "check" is ${describeValue(value['check'])}, but must be a function`);
  return lists[kind].map((name) => checkList(name, value[name])).find((found) => found !== undefined);
};

/**
 * Checks that the export of a module is a definition of the given kind. Only its shape is checked: none of its
 * functions is called.
 * @param label the module in messages
 * @throws GatewayError `KOINE_EXTENSION_INVALID`, `KOINE_EXTENSION_API_VERSION`
 */
export function checkDefinition<K extends ExtensionKind>(kind: K, value: unknown, label: string): Definitions[K] {
  const defect = findDefect(kind, value);
  const isDefinition = (candidate: unknown): candidate is Definitions[K] => candidate === value && defect === undefined;
  if (!isDefinition(value))
    throw new GatewayError(
      defect?.code ?? 'KOINE_EXTENSION_INVALID',
      `${label} cannot be used: ${defect?.message ?? 'it is not valid'}.`,
    );
  return value;
}
