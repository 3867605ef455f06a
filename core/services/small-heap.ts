import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the young generation of this process at its first size, 1 MB. Almost everything that a start allocates stays,
 * so V8 would let it grow to 25 MB, which an idle gateway keeps. V8 reads this flag whenever it could grow.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Back to the default: under load, the young generation grows as far as the requests need it. */
export const letHeapGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');
