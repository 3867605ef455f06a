import { isAscii } from 'node:buffer';

/**
 * The weight of a character when tokens are estimated without a tokenizer, in quarters of a token, by the upper byte of
 * its UTF-16 code: Latin letters 1; characters below the scripts of East Asia 2 (Greek, Cyrillic, Hebrew, Arabic,
 * Indic, Thai, punctuation); East Asian characters and each half of an emoji 4. Vendors differ: GPT-4o needs half of
 * that for Russian and Hindi, GPT-4 this or a little more.
 */
const weighUpper = (upper: number): number => (upper < 0x03 ? 1 : upper < 0x2e ? 2 : 4);

/** A character with a weight above 1. V8 skips the search in strings that it stores as Latin-1. */
const HEAVY = /[\u0300-\uffff]/;

/** The weight of a text, in quarters of a token. */
export function weighText(text: string): number {
  const start = text.search(HEAVY);
  if (start === -1) return text.length;
  let weight = start;
  for (let index = start; index < text.length; index += 1) weight += weighUpper(text.charCodeAt(index) >> 8);
  return weight;
}

/** Larger bodies are sampled. */
const WEIGHED_BYTES = 262_144;
/** In larger bodies full of backslashes, the search for `\u` escapes takes longer than sampling. */
const SEARCHED_BYTES = 1_048_576;
const PIECES = 16;

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const readHex = (digit: number): number => (digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57);

/** The weight of the character that starts with this byte of UTF-8; 0 for a byte within a character. */
const weighLead = (byte: number): number => {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  if (byte < 0xcc) return 1;
  if (byte < 0xe2) return 2;
  // Up to U+2FFF, of which the last quarter is East Asian.
  return byte === 0xe2 ? 2 : byte < 0xf0 ? 4 : 8;
};

/** For valid JSON: an escape such as `\u4e2d` has the weight of its character, not of its six bytes. */
const weighPiece = (bytes: Uint8Array, from: number, to: number): number => {
  let weight = 0;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    weight += weighLead(byte);
    if (byte !== BACKSLASH) continue;
    index += 1;
    if (bytes[index] !== LETTER_U) weight += 1;
    else {
      weight += weighUpper(readHex(bytes[index + 1] ?? 0x30) * 16 + readHex(bytes[index + 2] ?? 0x30)) - 1;
      index += 4;
    }
  }
  return weight;
};

const weighPieces = (raw: Uint8Array): number => {
  const length = WEIGHED_BYTES / PIECES;
  const step = (raw.byteLength - length) / (PIECES - 1);
  let weight = 0;
  for (let piece = 0; piece < PIECES; piece += 1) {
    const from = Math.floor(piece * step);
    weight += weighPiece(raw, from, from + length);
  }
  return Math.ceil((weight / WEIGHED_BYTES) * raw.byteLength);
};

/**
 * The weight of a JSON body in quarters of a token, including white space and structure. ASCII has the weight of its
 * length; a long body with other characters is sampled, so that this takes at most a millisecond.
 */
export function weighBody(raw: Uint8Array): number {
  const { byteLength } = raw;
  const ascii = isAscii(raw);
  // The weight of ASCII is at most its length.
  if (ascii && byteLength > SEARCHED_BYTES) return Math.min(weighPieces(raw), byteLength);
  if (ascii && !Buffer.from(raw.buffer, raw.byteOffset, byteLength).includes('\\u')) return byteLength;
  return byteLength <= WEIGHED_BYTES ? weighPiece(raw, 0, byteLength) : weighPieces(raw);
}
