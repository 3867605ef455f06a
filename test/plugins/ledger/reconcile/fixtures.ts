import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** test/fixtures/bills/README.md says what they are written after. */
export const billPath = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/bills/${name}`, import.meta.url));
export const readFixture = (name: string): string => readFileSync(billPath(name), 'utf8');
