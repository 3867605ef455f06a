import { randomUUID } from 'node:crypto';

/** A random id, 32 characters after the prefix. (Node caches entropy for UUIDs: most calls need no system call.) */
export const newId = (prefix: string): string => prefix + randomUUID().replaceAll('-', '');

/**
 * A random id that sorts by time, so that a database index on it grows at its end only.
 * @param now unix milliseconds
 */
export const newOrderedId = (prefix: string, now: number): string => {
  const uuid = randomUUID();
  return prefix + now.toString(16).padStart(12, '0') + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
};
