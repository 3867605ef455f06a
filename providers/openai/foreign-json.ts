import { isObject, type JsonObject } from '../../core/index.ts';

/** A string of somebody else's JSON, empty when it is anything else. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** A list of somebody else's JSON, empty when it is anything else. */
export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** An object of somebody else's JSON, empty when it is anything else. */
export const readObject = (value: unknown): Readonly<JsonObject> => (isObject(value) ? value : {});

/** The same object without the members that are `undefined`: absent is absent. */
export const present = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** The members that no reader knows, absent ones left out. */
export const without = (value: Readonly<JsonObject>, known: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name, member]) => !known.has(name) && member !== null && member !== undefined));
