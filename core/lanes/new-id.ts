import { randomUUID } from 'node:crypto';

/** A fresh id, 32 characters after the prefix. It tells nothing of the inside. (Node keeps entropy for UUIDs at hand: a call costs no system call.) */
export const newId = (prefix: string): string => prefix + randomUUID().replaceAll('-', '');
