import { invalidRequest, type JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  ObjectMembers,
  omitUndefined,
  requireObject,
  type InboundRequest,
  type Members,
} from '../../../../../core/api/codec.ts';

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Most requests use only camelCase: other names are searched only in objects that have a `_`. */
const hasSnake = (value: unknown): boolean => isObject(value) && Object.keys(value).some((name) => name.includes('_'));

class WireMembers extends ObjectMembers {
  protected override read(value: unknown, path: string): Members {
    return readWireMembers(value, path);
  }
}

/** Finds each member under either spelling. */
class SnakeMembers extends WireMembers {
  protected override nameOf(name: string): string {
    if (this.holds(name)) return name;
    const snake = toSnake(name);
    return this.holds(snake) ? snake : name;
  }
}

/**
 * The members of an object of this wire, by their camelCase names. The vendor's JSON mapper accepts `snake_case` as
 * well, and its examples use it. Errors name a member as the client wrote it.
 * https://protobuf.dev/programming-guides/json/
 */
export function readWireMembers(value: unknown, path = ''): Members {
  const given = requireObject(value, path);
  return hasSnake(given) ? new SnakeMembers(given, path) : new WireMembers(given, path);
}

/**
 * The model of the path, with or without its collection. A body can repeat it, and the path wins.
 * @throws GatewayError 400
 */
export function readModel(inbound: InboundRequest, body: Members, method: string): string {
  const named = body.string('model');
  const model = (inbound.model ?? named ?? '').replace(/^models\//, '');
  if (model !== '') return model;
  throw invalidRequest('model', `'model' is required: the path names it, as in /v1beta/models/{model}:${method}.`);
}

/** The items of a repeated member. The vendor's JSON mapper accepts a single object as a list of one. */
export function readItems(members: Members, name: string): readonly Members[] {
  const found = members.value(name);
  if (isObject(found)) return [readWireMembers(found, members.at(name))];
  return members.array(name)?.map((item, index) => readWireMembers(item, `${members.at(name)}[${index}]`)) ?? [];
}

/**
 * The name of a value of an enum. The vendor's JSON mapper accepts numbers as well. For enums whose numbers are not
 * published, a number is an extra member: it is sent only to this vendor.
 */
export function readEnum(members: Members, name: string): { readonly name?: string; readonly extra: JsonObject } {
  const found = members.value(name);
  if (typeof found === 'number') return { extra: { [name]: found } };
  return omitUndefined({ name: members.string(name), extra: {} });
}
