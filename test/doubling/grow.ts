import type { Json } from '../matrix/wires.ts';

/** One list or object of a body, grown to a size. */
export interface Growth {
  /** The path, and how it grows: `tools[].function.parameters.properties`. */
  readonly name: string;
  readonly at: (size: number) => Json;
}

type Path = readonly (string | number)[];

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !isList(value);

/** Every list and every object below a value. */
const placesIn = (value: unknown, path: Path = []): readonly Path[] => {
  if (!isList(value) && !isRecord(value)) return [];
  const inner = isList(value)
    ? value.flatMap((item, index) => placesIn(item, [...path, index]))
    : Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]));
  return [path, ...inner];
};

const replaceAt = (value: unknown, path: Path, replace: (found: unknown) => unknown): unknown => {
  const [step, ...others] = path;
  if (step === undefined) return replace(value);
  if (isList(value)) return value.map((item, index) => (index === step ? replaceAt(item, others, replace) : item));
  return isRecord(value) ? { ...value, [step]: replaceAt(value[step], others, replace) } : value;
};

/** Members that identify entries: a hundred tools with one name are another attack than a hundred names. */
const identities: ReadonlySet<string> = new Set([
  'name',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'index',
  'output_index',
]);

/** The value with numbered names, ids and indices. */
export const renumber = (value: unknown, number: number, member?: string): unknown => {
  if (isList(value)) return value.map((item) => renumber(item, number));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renumber(inner, number, name)]));
  if (member === undefined || !identities.has(member)) return value;
  return typeof value === 'number' ? number : `${String(value)}_${number}`;
};

const repeatList = (
  list: readonly unknown[],
  size: number,
  each: (item: unknown, number: number) => unknown,
): readonly unknown[] => Array.from({ length: size }, (_, number) => each(list[number % list.length], number));

/** The values of an object, repeated for further members: schemas, names, ids. */
const widen = (found: Json, size: number): Json => {
  const values = Object.values(found);
  return {
    ...found,
    ...Object.fromEntries(
      Array.from({ length: size }, (_, number) => [`member_${number}`, values[number % values.length] ?? 'x']),
    ),
  };
};

const print = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '') || 'the body';

/** Every list of the body repeated, with the same and with new names and ids, and every object with further members. */
export const growthsOf = (body: Json): readonly Growth[] =>
  placesIn(body).flatMap((path) => {
    const at = (replace: (found: unknown, size: number) => unknown) => (size: number) =>
      replaceAt(body, path, (found) => replace(found, size)) as Json;
    const found = path.reduce<unknown>(
      (value, step) => (value as Readonly<Record<string | number, unknown>>)[step],
      body,
    );
    if (isRecord(found))
      return [{ name: `members of ${print(path)}`, at: at((object, size) => widen(object as Json, size)) }];
    if (!isList(found) || found.length === 0) return [];
    return [
      {
        name: `items of ${print(path)}`,
        at: at((list, size) => repeatList(list as readonly unknown[], size, (item) => item)),
      },
      {
        name: `items of ${print(path)}, each with names of its own`,
        at: at((list, size) =>
          repeatList(list as readonly unknown[], size, (item, number) =>
            typeof item === 'string' ? `${item}_${number}` : renumber(item, number),
          ),
        ),
      },
    ];
  });
