/** A text as it is compared without differences of case. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();
