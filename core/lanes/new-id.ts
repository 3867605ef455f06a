import { randomBytes } from 'node:crypto';

/** A fresh id, 24 characters after the prefix. It tells nothing of the inside. */
export const newId = (prefix: string): string => prefix + randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'k');
