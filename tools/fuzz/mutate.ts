import type { Random } from './random.ts';

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers that JSON.stringify would round. */
const RAW_NUMBERS = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '0.1e-400',
  '123456789012345678901234567890',
  '-0',
] as const;

/** Texts on which parsers, regular expressions and headers have failed. */
const words = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00x',
  '\u2028',
  '💥',
  'é',
  '__proto__',
  'constructor',
  'toString',
  '[DONE]',
  'null',
  '{}',
  '[]',
  '"',
  '\\',
  '\r\n',
  'data: x\n\n',
  '../..',
  'a.b[0].c',
  'data:image/png;base64,',
  'data:;base64,AAAA',
  'https://example.org/a.png',
  'application/pdf',
  '%00',
  '*',
] as const;
const stretched = [
  '.',
  '[',
  '\\',
  '"',
  ' ',
  '\n',
  'a',
  '{',
  '/',
  '=',
  ';base64,',
  'data:',
  '💥',
  '\u0000',
  '<',
  '_',
  'json ',
] as const;

const makeText = (random: Random): string =>
  random.chance(0.6) ? random.pick(words) : random.pick(stretched).repeat(random.pick([10, 1_000, 30_000]));

const nest = (depth: number, array: boolean): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = array ? [value] : { a: value };
  return value;
};

const makeValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick([0, -1, 1, 0.5, 1e21, 2 ** 31, -(2 ** 53), 1e-9]),
    () => JSON.rawJSON(random.pick(RAW_NUMBERS)),
    () => makeText(random),
    () => [],
    () => ({}),
    () => [makeText(random)],
    () => ({ type: makeText(random) }),
    () => nest(random.pick([2, 60, 127, 200]), random.chance(0.5)),
    () => Array.from({ length: random.pick([3, 30, 3_000]) }, () => random.pick([0, '', {}, []])),
  ])();

/** Names that parsers treat as equal, or as special. */
const respell = (name: string, random: Random): string =>
  random.pick<() => string>([
    () => name.toUpperCase(),
    () => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    () => name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    () => `${name}_`,
    () => makeText(random),
  ])();

const shuffle = <T>(list: readonly T[], random: Random): T[] =>
  list
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);

/** Values in one body. More would be slow, and the gateway rejects them anyway. */
const MAX_VALUES = 20_000;

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1)
    : 1;

const repeat = (list: readonly unknown[], random: Random): readonly unknown[] => {
  const item: unknown = list.length === 0 ? makeValue(random) : random.pick(list);
  const most = Math.max(1, Math.floor(MAX_VALUES / countValues(item)));
  return [...list, ...Array.from({ length: Math.min(most, random.pick([1, 10, 1_000])) }, () => item)];
};

const changeList = (list: readonly unknown[], random: Random, donors: readonly unknown[]): unknown =>
  random.pick<() => unknown>([
    () => shuffle(list, random),
    () => repeat(list, random),
    () => list.slice(random.below(list.length + 1)),
    () => [...list, random.pick(donors)],
    () => [...list, makeValue(random)],
  ])();

const changeRecord = (record: Json, random: Random, donors: readonly unknown[]): unknown => {
  const entries = Object.entries(record);
  const [name, value] = entries.length === 0 ? ['member', 1] : random.pick(entries);
  const { [name]: _removed, ...others } = record;
  return random.pick<() => unknown>([
    () => others,
    () => ({ ...others, [respell(name, random)]: value }),
    () => ({ ...record, [respell(name, random)]: makeValue(random) }),
    () => Object.fromEntries(shuffle(entries, random)),
    () => ({ ...record, [name]: random.pick(donors) }),
    () => ({ ...record, [name]: makeValue(random) }),
  ])();
};

/** The path of every value inside a value. */
const placesIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
    : []),
];

const changeAt = (
  value: unknown,
  [step, ...others]: readonly string[],
  change: (found: unknown) => unknown,
): unknown => {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === step ? changeAt(item, others, change) : item));
  return isRecord(value) ? { ...value, [step]: changeAt(value[step], others, change) } : value;
};

/** Every value inside these values. */
export const collectDonors = (values: readonly unknown[]): readonly unknown[] =>
  values.flatMap((value): readonly unknown[] => [
    value,
    ...(typeof value === 'object' && value !== null ? collectDonors(Object.values(value)) : []),
  ]);

/**
 * Makes one to six changes of the structure of a value: types, sizes, names, order, members from elsewhere.
 * @param donors values to insert where they do not belong
 */
export function mutate(value: unknown, random: Random, donors: readonly unknown[]): unknown {
  let changed = value;
  for (let times = 1 + random.below(6); times > 0; times -= 1) {
    if (countValues(changed) > MAX_VALUES) break;
    const place = random.pick(placesIn(changed));
    changed = changeAt(changed, place, (found) => {
      if (Array.isArray(found) && random.chance(0.8)) return changeList(found, random, donors);
      if (isRecord(found) && random.chance(0.8)) return changeRecord(found, random, donors);
      return random.chance(0.2) ? random.pick(donors) : makeValue(random);
    });
  }
  return changed;
}
