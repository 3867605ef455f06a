import { isObject, ObjectMembers, requireObject, type Members } from '../../../../../core/index.ts';

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Most requests are in camelCase all through: only objects with such a name are looked at twice. */
const hasSnake = (value: unknown): boolean => isObject(value) && Object.keys(value).some((name) => name.includes('_'));

class WireMembers extends ObjectMembers {
  protected override read(value: unknown, path: string): Members {
    return readWireMembers(value, path);
  }
}

/** Each member under the name that is there. */
class SnakeMembers extends WireMembers {
  protected override nameOf(name: string): string {
    if (this.holds(name)) return name;
    const snake = toSnake(name);
    return this.holds(snake) ? snake : name;
  }
}

/**
 * The members of an object of this wire, asked for in camelCase. The vendor's JSON mapper takes `snake_case` as well,
 * and its examples are written in it; errors name a member as the client wrote it.
 * https://protobuf.dev/programming-guides/json/
 */
export function readWireMembers(value: unknown, path = ''): Members {
  const given = requireObject(value, path);
  return hasSnake(given) ? new SnakeMembers(given, path) : new WireMembers(given, path);
}

/** A repeated member, item by item. The vendor's mapper, and its first examples, take a single object for a list of one. */
export function readItems(members: Members, name: string): readonly Members[] {
  const found = members.value(name);
  if (isObject(found)) return [readWireMembers(found, members.at(name))];
  return members.array(name)?.map((item, index) => readWireMembers(item, `${members.at(name)}[${index}]`)) ?? [];
}
