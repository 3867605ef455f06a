import { invalidRequest } from '../errors.ts';
import { isRawNumber, type RawNumber } from './raw-number.ts';
import type { JsonObject } from './wire.ts';

export interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  /** `min` itself is refused. */
  readonly above?: number;
  readonly integer?: boolean;
}

/**
 * The members of one JSON object, read by name. A member that is `null` counts as absent. A wrong type or value is a 400 that names
 * the member by its path. What was never read is `rest()`: so nothing that a client sends is forgotten.
 */
export interface Members {
  readonly path: string;
  /** The path of a member, as errors and losses name it. */
  at(name: string): string;
  has(name: string): boolean;
  /** Unchecked. */
  value(name: string): unknown;
  string(name: string): string | undefined;
  requiredString(name: string): string;
  number(name: string, rule?: NumberRule): number | undefined;
  boolean(name: string): boolean | undefined;
  array(name: string): readonly unknown[] | undefined;
  strings(name: string): readonly string[] | undefined;
  object(name: string): Members | undefined;
  rawObject(name: string): Readonly<JsonObject> | undefined;
  oneOf<const T extends string>(name: string, values: readonly T[]): T | undefined;
  /** Members nobody read, absent when there are none. */
  rest(): JsonObject;
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

const describeType = (value: unknown): string => (value === null ? 'null' : value === undefined ? 'nothing' : Array.isArray(value) ? 'an array' : isRawNumber(value) ? 'a number' : typeof value === 'object' ? 'an object' : `a ${typeof value}`);

const checkNumber = (at: string, value: number, { min, max, above, integer }: NumberRule): number => {
  if (integer === true && !Number.isSafeInteger(value)) throw invalidRequest(at, `'${at}' must be an integer.`);
  if (above !== undefined && value <= above) throw invalidRequest(at, `'${at}' must be greater than ${above}.`);
  if (min !== undefined && value < min) throw invalidRequest(at, max === undefined ? `'${at}' must be at least ${min}.` : `'${at}' must be between ${min} and ${max}.`);
  if (max !== undefined && value > max) throw invalidRequest(at, min === undefined ? `'${at}' must be at most ${max}.` : `'${at}' must be between ${min} and ${max}.`);
  return value;
};

/**
 * @param path where the object stands in the request; empty for the body itself
 * @throws GatewayError `invalid_request` when `value` is not an object
 */
export const readMembers = (value: unknown, path = ''): Members => {
  if (!isObject(value)) throw invalidRequest(path, path === '' ? `The body must be a JSON object, not ${describeType(value)}.` : `'${path}' must be an object, not ${describeType(value)}.`);
  const read = new Set<string>();
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const take = (name: string): unknown => {
    read.add(name);
    return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
  };
  const typed = <T>(name: string, what: string, test: (found: unknown) => found is T): T | undefined => {
    const found = take(name);
    if (found === undefined) return undefined;
    if (!test(found)) throw invalidRequest(at(name), `'${at(name)}' must be ${what}, not ${describeType(found)}.`);
    return found;
  };
  const members: Members = {
    path,
    at,
    has: (name) => Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined,
    value: take,
    string: (name) => typed(name, 'a string', (found) => typeof found === 'string'),
    requiredString: (name) => {
      const found = members.string(name);
      if (found === undefined) throw invalidRequest(at(name), `'${at(name)}' is required.`);
      return found;
    },
    number: (name, rule = {}) => {
      const what = rule.integer === true ? 'an integer' : 'a number';
      const found = typed<number | RawNumber>(name, what, (candidate): candidate is number | RawNumber => typeof candidate === 'number' || isRawNumber(candidate));
      return found === undefined ? undefined : checkNumber(at(name), isRawNumber(found) ? Number(found.rawJSON) : found, rule);
    },
    boolean: (name) => typed(name, 'a boolean', (found) => typeof found === 'boolean'),
    array: (name) => typed<readonly unknown[]>(name, 'an array', (found) => Array.isArray(found)),
    strings: (name) =>
      members.array(name)?.map((item, index) => {
        if (typeof item !== 'string') throw invalidRequest(`${at(name)}[${index}]`, `'${at(name)}[${index}]' must be a string, not ${describeType(item)}.`);
        return item;
      }),
    object: (name) => {
      const found = take(name);
      return found === undefined ? undefined : readMembers(found, at(name));
    },
    rawObject: (name) => typed(name, 'an object', isObject),
    oneOf: <const T extends string>(name: string, values: readonly T[]) => {
      const found = members.string(name);
      if (found === undefined) return undefined;
      const known = values.find((candidate) => candidate === found);
      if (known === undefined) throw invalidRequest(at(name), `'${at(name)}' must be one of ${values.map((candidate) => `'${candidate}'`).join(', ')}.`);
      return known;
    },
    rest: () => Object.fromEntries(Object.entries(value).filter(([name, member]) => !read.has(name) && member !== null && member !== undefined)),
  };
  return members;
};
