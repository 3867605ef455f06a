import type { Part } from '../../core/api/index.ts';

/** Counts that can be checked by hand: four characters are a token, an image is 256. */
export const CHARACTERS_PER_TOKEN = 4;
export const TOKENS_PER_IMAGE = 256;

/** A word with the space before it; long words and JSON are cut into pieces of twelve characters. */
const PIECE = /\s*\S{1,12}|\s+/gu;

/** The pieces in which a text is streamed. */
export const splitPieces = function* (text: string): Generator<string, void, undefined> {
  for (const [piece] of text.matchAll(PIECE)) yield piece;
};

export const calculateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** Truncates a text. A surrogate pair is never cut. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? characters - 1 : characters);
}

/** The characters of a part from which its output tokens are counted. */
export function calculateCharacters(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.length;
    case 'tool-call':
      return part.name.length + part.input.length;
    default:
      return 0;
  }
}

const cutPart = (part: Part, characters: number): Part | undefined => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return characters > 0 ? { ...part, text: cutText(part.text, characters) } : undefined;
    case 'tool-call':
      return characters > part.name.length
        ? { ...part, input: cutText(part.input, characters - part.name.length) }
        : undefined;
    default:
      return part;
  }
};

/** Cuts a response to a number of tokens. */
export function limitTokens(parts: readonly Part[], tokens: number) {
  let left = Math.max(0, tokens) * CHARACTERS_PER_TOKEN;
  const kept: Part[] = [];
  for (const part of parts) {
    const size = calculateCharacters(part);
    if (size > left) {
      const last = cutPart(part, left);
      return { parts: last === undefined ? kept : [...kept, last], cut: true };
    }
    left -= size;
    kept.push(part);
  }
  return { parts: kept, cut: false };
}
