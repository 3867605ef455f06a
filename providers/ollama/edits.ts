import type { EndpointWire, JsonObject } from '../../core/api/index.ts';
import { isObject, type BodyEdit } from '../../core/api/codec.ts';
import type { OllamaOptions } from './schema.ts';

/** Adds the settings of the configuration to each request. Undefined: there are none. */
export function createEdits({ options = {}, keepAlive }: OllamaOptions): EndpointWire['edits'] {
  const alive: readonly BodyEdit[] = keepAlive === undefined ? [] : [{ member: 'keep_alive', value: keepAlive }];
  if (Object.keys(options).length === 0) return alive.length === 0 ? undefined : () => alive;
  return ({ options: given }) => {
    const own: Readonly<JsonObject> = isObject(given) ? given : {};
    return [...alive, { member: 'options', value: { ...options, ...own } }];
  };
}
