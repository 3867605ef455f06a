/** `RegExp.escape` for text outside of a character class: Node 22 does not have it. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
