import { randomUUID } from 'node:crypto';

/** A fresh id, 32 characters after the prefix. It tells nothing of the inside. (Node keeps entropy for UUIDs at hand: a call costs no system call.) */
export const newId = (prefix: string): string => prefix + randomUUID().replaceAll('-', '');

/** The same, later ones behind earlier ones: a database that is ordered by it writes at its end, not all over. @param now unix milliseconds */
export const newOrderedId = (prefix: string, now: number): string =>
  prefix + now.toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12);
