import { isObject } from '../../../core/index.ts';

const isOwn = (citation: unknown): boolean => isObject(citation) && typeof citation['type'] === 'string' && citation['type'].endsWith('_location');

/** Citations in this wire's own shape, `*_location`; those of other vendors count by characters of the text and cannot be replayed here. */
export const ownCitations = (citations: readonly unknown[]): readonly unknown[] => citations.filter(isOwn);
