import { invalidRequest } from '../../errors/gateway-error.ts';
import { isRawNumber, type RawNumber } from './raw-number.ts';
import type { JsonObject } from '../wire.ts';

/** What a number must satisfy. */
export interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  /** Exclusive minimum. */
  readonly above?: number;
  readonly integer?: boolean;
}

/**
 * Reads the members of one JSON object by name. A member that is `null` counts as absent. A wrong type or value is a
 * 400 with the path of the member. `unread()` returns the members that were not read, so that nothing a client sends is
 * lost silently.
 */
export interface Members {
  readonly path: string;
  /** The path of a member, for errors and losses. */
  at(name: string): string;
  has(name: string): boolean;
  /** The value without a type check. */
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
  /** Members that have not been read, without absent ones. */
  unread(): JsonObject;
}

/** Whether the value is a JSON object: not a list, and not a number of `parseExactJson`. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

const describeType = (value: unknown): string =>
  value === null
    ? 'null'
    : value === undefined
      ? 'nothing'
      : Array.isArray(value)
        ? 'an array'
        : isRawNumber(value)
          ? 'a number'
          : typeof value === 'object'
            ? 'an object'
            : `a ${typeof value}`;

/** What a number must be that breaks a rule; undefined if it breaks none. */
const findBroken = (value: number, { min, max, above, integer }: NumberRule): string | undefined => {
  if (integer === true && !Number.isSafeInteger(value)) return 'an integer';
  if (above !== undefined && value <= above) return `greater than ${above}`;
  if (min !== undefined && value < min) return max === undefined ? `at least ${min}` : `between ${min} and ${max}`;
  if (max !== undefined && value > max) return min === undefined ? `at most ${max}` : `between ${min} and ${max}`;
  return undefined;
};

/** The path is composed for an error only. */
const checkNumber = (members: Members, name: string, value: number, rule: NumberRule): number => {
  const broken = findBroken(value, rule);
  if (broken === undefined) return value;
  const at = members.at(name);
  throw invalidRequest(at, `'${at}' must be ${broken}.`);
};

const isString = (found: unknown): found is string => typeof found === 'string';
const isBoolean = (found: unknown): found is boolean => typeof found === 'boolean';
const isNumber = (found: unknown): found is number | RawNumber => typeof found === 'number' || isRawNumber(found);
const isArray = (found: unknown): found is readonly unknown[] => Array.isArray(found);

const isAbsent = (member: unknown): boolean => member === null || member === undefined;

/** Default implementation. A wire with two spellings of its names has a subclass. */
export class ObjectMembers implements Members {
  readonly path: string;
  protected readonly given: JsonObject;
  readonly #read = new Set<string>();

  constructor(object: JsonObject, path: string) {
    this.given = object;
    this.path = path;
  }

  at(name: string): string {
    const own = this.nameOf(name);
    return this.path === '' ? own : `${this.path}.${own}`;
  }

  has(name: string): boolean {
    return this.holds(this.nameOf(name));
  }

  value(name: string): unknown {
    const own = this.nameOf(name);
    if (!this.holds(own)) return undefined;
    this.#read.add(own);
    return this.given[own];
  }

  string(name: string): string | undefined {
    return this.#typed(name, 'a string', isString);
  }

  requiredString(name: string): string {
    const found = this.string(name);
    if (found === undefined) throw invalidRequest(this.at(name), `'${this.at(name)}' is required.`);
    return found;
  }

  number(name: string, rule: NumberRule = noRule): number | undefined {
    const found = this.#typed(name, rule.integer === true ? 'an integer' : 'a number', isNumber);
    if (found === undefined) return undefined;
    return checkNumber(this, name, isRawNumber(found) ? Number(found.rawJSON) : found, rule);
  }

  boolean(name: string): boolean | undefined {
    return this.#typed(name, 'a boolean', isBoolean);
  }

  array(name: string): readonly unknown[] | undefined {
    return this.#typed(name, 'an array', isArray);
  }

  strings(name: string): readonly string[] | undefined {
    return this.array(name)?.map((item, index) => {
      if (typeof item === 'string') return item;
      const at = `${this.at(name)}[${index}]`;
      throw invalidRequest(at, `'${at}' must be a string, not ${describeType(item)}.`);
    });
  }

  object(name: string): Members | undefined {
    const found = this.value(name);
    return found === undefined ? undefined : this.read(found, this.at(name));
  }

  rawObject(name: string): Readonly<JsonObject> | undefined {
    return this.#typed(name, 'an object', isObject);
  }

  oneOf<const T extends string>(name: string, values: readonly T[]): T | undefined {
    const found = this.string(name);
    if (found === undefined) return undefined;
    const known = values.find((candidate) => candidate === found);
    if (known !== undefined) return known;
    const listed = values.map((candidate) => `'${candidate}'`).join(', ');
    throw invalidRequest(this.at(name), `'${this.at(name)}' must be one of ${listed}.`);
  }

  unread(): JsonObject {
    const unread: JsonObject = {};
    for (const name of Object.keys(this.given))
      if (this.holds(name) && !this.#read.has(name)) unread[name] = this.given[name];
    return unread;
  }

  /** Whether the object has an own member of this name that is not null. */
  protected holds(own: string): boolean {
    return Object.hasOwn(this.given, own) && !isAbsent(this.given[own]);
  }

  /** The actual name of a member in the object. */
  protected nameOf(name: string): string {
    return name;
  }

  /** Reads an inner object. */
  protected read(value: unknown, path: string): Members {
    return readMembers(value, path);
  }

  #typed<T>(name: string, what: string, test: (found: unknown) => found is T): T | undefined {
    const found = this.value(name);
    if (found === undefined || test(found)) return found;
    throw invalidRequest(this.at(name), `'${this.at(name)}' must be ${what}, not ${describeType(found)}.`);
  }
}

const noRule: NumberRule = {};

/**
 * Returns the value if it is a JSON object.
 * @param path path in the request; empty for the body itself
 * @throws GatewayError `invalid_request` if `value` is not an object
 */
export function requireObject(value: unknown, path: string): JsonObject {
  if (isObject(value)) return value;
  const must = path === '' ? 'The body must be a JSON object' : `'${path}' must be an object`;
  throw invalidRequest(path, `${must}, not ${describeType(value)}.`);
}

/**
 * Creates a reader of an object.
 * @param path path in the request; empty for the body itself
 * @throws GatewayError `invalid_request` if `value` is not an object
 * @example readMembers(body).requiredString('model')
 */
export const readMembers = (value: unknown, path = ''): Members => new ObjectMembers(requireObject(value, path), path);
