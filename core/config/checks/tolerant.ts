import { isObject } from '../../canonical/json/members.ts';

/** Readers for data that may have failed validation: the references of the good parts are checked all the same. */

export const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : [];
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const names = (value: unknown): ReadonlySet<string> => new Set(isObject(value) ? Object.keys(value) : []);
