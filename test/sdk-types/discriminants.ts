import { isObject } from '../../core/api/codec.ts';
import type { JsonObject } from '../../core/api/index.ts';
import type { Member, ObjectShape, Shape } from './read-types.ts';
import { sample } from './sample.ts';

/**
 * A name that an SDK declares: a member, the type of an object, or one of several texts. It is sent three times: as it
 * is, with a made-up name in its place, and left out. A codec knows the name if it does not treat both names alike.
 */
export interface Discriminant {
  /** Where it is: `tools[].type=function`, `reasoning.effort`. */
  readonly path: string;
  readonly name: string;
  readonly madeUp: string;
  readonly value: unknown;
  readonly control: unknown;
  /** Undefined: nothing remains without it. */
  readonly without: unknown;
  /** The names inside. */
  readonly inner: () => readonly Discriminant[];
}

/** Names are read in context: a made-up one keeps the last word, such as `_call`, and the date of a tool. */
const invent = (name: string): string => {
  const word = /[a-z0-9](_[a-z0-9]+)$/.exec(name)?.[1] ?? '';
  return `koineunknown${word}`;
};

const rename = (value: object, name: string, to: string): object =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key === name ? to : key, member]));
const omit = (value: object, name: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** Puts the values of inner names in their place. */
const wrap = (found: readonly Discriminant[], path: string, put: (value: unknown) => unknown): Discriminant[] =>
  found.map((one) => ({
    ...one,
    path: path + one.path,
    value: put(one.value),
    control: put(one.control),
    without: one.without === undefined ? undefined : put(one.without),
    inner: () => wrap(one.inner(), path, put),
  }));

const isText = (shape: Shape): shape is Shape & { readonly kind: 'literal'; readonly value: string } =>
  shape.kind === 'literal' && typeof shape.value === 'string';

const oneText = (value: string): Discriminant => {
  const madeUp = invent(value);
  return { path: `=${value}`, name: value, madeUp, value, control: madeUp, without: undefined, inner: () => [] };
};

/** The member in which the alternatives of a union differ, e.g. `type`. */
const findTag = (objects: readonly ObjectShape[]): string | undefined =>
  ['type', 'role', 'error_code'].find((name) =>
    objects.every((object) => {
      const shape = object.members().get(name)?.shape;
      return shape !== undefined && (isText(shape) || (shape.kind === 'union' && shape.alternatives.some(isText)));
    }),
  );

/** The texts of a tag. A dated tool can have two. */
const tagsOf = (object: ObjectShape, tag: string): readonly string[] => {
  const shape = object.members().get(tag)?.shape;
  const found = shape?.kind === 'union' ? shape.alternatives : shape === undefined ? [] : [shape];
  return found.filter(isText).map(({ value }) => value);
};

/** Names of models, and JSON of the client: what is in them is not of the wire. */
const FREE = /^(?:model|args|metadata|headers)$|schema$|parameters$/i;

/** A member with one text alone says nothing: it is the type of its object. */
const isConstant = ({ optional, shape }: Member): boolean => !optional && isText(shape);

const listMembers = (object: ObjectShape, base: Readonly<JsonObject>, depth: number, tag = ''): Discriminant[] =>
  [...object.members()]
    .filter(([name, member]) => name !== tag && !isConstant(member))
    .map(([name, { shape }]) => {
      const madeUp = invent(name);
      const value = name in base ? base : { ...base, [name]: sample(shape, name) };
      const inside = base[name];
      return {
        path: `.${name}`,
        name,
        madeUp,
        value,
        control: rename(value, name, madeUp),
        without: omit(value, name),
        inner: () =>
          FREE.test(name)
            ? []
            : wrap(listDiscriminants(shape, depth - 1, inside), `.${name}`, (inner) => ({ ...base, [name]: inner })),
      };
    });

const listTagged = (objects: readonly ObjectShape[], tag: string, depth: number): Discriminant[] =>
  objects.flatMap((object) =>
    tagsOf(object, tag).map((type) => {
      const madeUp = invent(type);
      const smallest = sample(object);
      const value = { ...(isObject(smallest) ? smallest : {}), [tag]: type };
      return {
        path: `[${type}]`,
        name: type,
        madeUp,
        value,
        control: { ...value, [tag]: madeUp },
        without: undefined,
        inner: () => wrap(listMembers(object, value, depth, tag), `[${type}]`, (inner) => inner),
      };
    }),
  );

/**
 * The names that a type declares.
 * @param depth how many members deep
 * @param base of an object, in place of the smallest one
 */
export function listDiscriminants(shape: Shape, depth: number, base?: unknown): readonly Discriminant[] {
  if (depth < 0) return [];
  if (isText(shape)) return [oneText(shape.value)];
  if (shape.kind === 'list')
    return wrap(listDiscriminants(shape.item(), depth, Array.isArray(base) ? base[0] : undefined), '[]', (inner) => [
      inner,
    ]);
  if (shape.kind === 'object') {
    if (depth === 0) return [];
    const smallest = shape.members().size === 0 ? {} : sample(shape);
    const used = isObject(base) ? base : smallest;
    return listMembers(shape, isObject(used) ? used : {}, depth);
  }
  return shape.kind === 'union' ? listAlternatives(shape.alternatives, depth) : [];
}

const listAlternatives = (alternatives: readonly Shape[], depth: number): readonly Discriminant[] => {
  const objects = alternatives.filter((one) => one.kind === 'object');
  const others = alternatives.filter((one) => one.kind !== 'object').flatMap((one) => listDiscriminants(one, depth));
  const tag = findTag(objects);
  if (depth === 0 || objects.length === 0) return others;
  if (tag === undefined || objects.length === 1)
    return [...others, ...objects.flatMap((object) => listDiscriminants(object, depth))];
  return [...others, ...listTagged(objects, tag, depth)];
};
