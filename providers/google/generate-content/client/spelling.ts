import { isObject, readMembers, type Members } from '../../../../core/index.ts';

const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Most requests are in camelCase all through: only objects with such a name are looked at twice. */
const hasSnake = (value: unknown): boolean => isObject(value) && Object.keys(value).some((name) => name.includes('_'));

/** Each member under the name that is there. */
const readEither = (plain: Members, inner: Members['object']): Members => {
  const spell = (name: string): string => (!plain.has(name) && plain.has(toSnake(name)) ? toSnake(name) : name);
  return {
    path: plain.path,
    at: (name) => plain.at(spell(name)),
    has: (name) => plain.has(spell(name)),
    value: (name) => plain.value(spell(name)),
    string: (name) => plain.string(spell(name)),
    requiredString: (name) => plain.requiredString(spell(name)),
    number: (name, rule) => plain.number(spell(name), rule),
    boolean: (name) => plain.boolean(spell(name)),
    array: (name) => plain.array(spell(name)),
    strings: (name) => plain.strings(spell(name)),
    object: (name) => inner(spell(name)),
    rawObject: (name) => plain.rawObject(spell(name)),
    oneOf: (name, values) => plain.oneOf(spell(name), values),
    rest: plain.rest,
  };
};

/**
 * The members of an object of this wire, asked for in camelCase. The vendor's JSON mapper takes `snake_case` as well, and its examples are
 * written in it; errors name a member as the client wrote it.
 * https://protobuf.dev/programming-guides/json/
 */
export const readWire = (value: unknown, path = ''): Members => {
  const plain = readMembers(value, path);
  const inner = (name: string): Members | undefined => {
    const found = plain.value(name);
    return found === undefined ? undefined : readWire(found, plain.at(name));
  };
  return hasSnake(value) ? readEither(plain, inner) : { ...plain, object: inner };
};

/** A repeated member, item by item. The vendor's mapper, and its first examples, take a single object for a list of one. */
export const readItems = (members: Members, name: string): readonly Members[] => {
  const found = members.value(name);
  if (isObject(found)) return [readWire(found, members.at(name))];
  return members.array(name)?.map((item, index) => readWire(item, `${members.at(name)}[${index}]`)) ?? [];
};
