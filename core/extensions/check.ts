import { isObject } from '../canonical/json/members.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Definitions, ExtensionKind } from './extension.ts';

/** The version of the public API that this gateway offers. */
export const API_VERSION = 1;

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

const invalid = (message: string): Refusal => ({ code: 'KOINE_EXTENSION_INVALID', message });
const article = (value: unknown): string =>
  value === undefined
    ? 'missing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : `of type ${typeof value}`;

const checkList = (name: string, value: unknown): Refusal | undefined =>
  value === undefined || Array.isArray(value) ? undefined : invalid(`its "${name}" is not an array`);

const lists: Readonly<Record<ExtensionKind, readonly string[]>> = {
  provider: ['codecs', 'framings', 'models'],
  plugin: ['enforces'],
};

const findRefusal = (kind: ExtensionKind, value: unknown): Refusal | undefined => {
  if (!isObject(value))
    return invalid(`it has no default export made by define${kind === 'plugin' ? 'Plugin' : 'Provider'}()`);
  if (value['apiVersion'] !== API_VERSION)
    return value['apiVersion'] === undefined
      ? invalid('its definition has no "apiVersion"')
      : {
          code: 'KOINE_EXTENSION_API_VERSION',
          message:
            `it was written for version ${String(value['apiVersion'])} of the API, this gateway offers ` +
            `${API_VERSION}`,
        };
  if (value['kind'] !== kind)
    return invalid(
      typeof value['kind'] === 'string'
        ? `it is a ${value['kind']}, and is used as a ${kind}`
        : 'its definition has no "kind"',
    );
  if (typeof value['name'] !== 'string' || !/^[a-z][a-z0-9-]*$/.test(value['name']))
    return invalid('its "name" is not lower-case letters, digits and dashes');
  if (!isObject(value['schema']))
    return invalid(`its "schema" is ${article(value['schema'])}, and must be a JSON Schema of its settings`);
  if (typeof value['create'] !== 'function')
    return invalid(`its "create" is ${article(value['create'])}, and must be a function`);
  if (value['check'] !== undefined && typeof value['check'] !== 'function')
    return invalid(`its "check" is ${article(value['check'])}, and must be a function`);
  return lists[kind].map((name) => checkList(name, value[name])).find((found) => found !== undefined);
};

/**
 * Is this what a module of that kind must export? Shape only: nothing of it is called.
 * @param label how messages name the module
 * @throws GatewayError `KOINE_EXTENSION_INVALID`, `KOINE_EXTENSION_API_VERSION`
 */
export function checkDefinition<K extends ExtensionKind>(kind: K, value: unknown, label: string): Definitions[K] {
  const refusal = findRefusal(kind, value);
  const isDefinition = (candidate: unknown): candidate is Definitions[K] =>
    candidate === value && refusal === undefined;
  if (!isDefinition(value))
    throw new GatewayError(
      refusal?.code ?? 'KOINE_EXTENSION_INVALID',
      `${label} cannot be used: ${refusal?.message ?? 'it is not valid'}.`,
    );
  return value;
}
