import { isAscii } from 'node:buffer';

/**
 * What one character weighs when tokens are estimated without a tokenizer, in quarters of a token, by the upper byte of its UTF-16 code:
 * Latin letters 1, what stands between them and the scripts of East Asia 2 (Greek, Cyrillic, Hebrew, Arabic, Indic, Thai, punctuation), those scripts
 * and each half of an emoji 4. Vendors differ: GPT-4o writes Russian and Hindi in half of that, GPT-4 in what is said here or a little more.
 */
const weighUpper = (upper: number): number => (upper < 0x03 ? 1 : upper < 0x2e ? 2 : 4);

/** A character that weighs more than 1. V8 does not even look for it in a text that is kept as Latin-1. */
const HEAVY = /[\u0300-\uffff]/;

/** Quarters of a token in a text. */
export function weighText(text: string): number {
  const start = text.search(HEAVY);
  if (start === -1) return text.length;
  let weight = start;
  for (let index = start; index < text.length; index += 1) weight += weighUpper(text.charCodeAt(index) >> 8);
  return weight;
}

/** A body above this size is weighed by pieces of it. */
const WEIGHED_BYTES = 262_144;
/** In a larger one that is full of backslashes, looking for those of `\\u` takes longer than weighing pieces. */
const SEARCHED_BYTES = 1_048_576;
const PIECES = 16;

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

const readHex = (digit: number): number => (digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57);

/** What the character weighs that begins with this byte of UTF-8; nothing for a byte within one. */
const weighLead = (byte: number): number => {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  if (byte < 0xcc) return 1;
  if (byte < 0xe2) return 2;
  // Up to U+2FFF, of which the last quarter is East Asian.
  return byte === 0xe2 ? 2 : byte < 0xf0 ? 4 : 8;
};

/** Valid JSON: what is escaped by its number (`\u4e2d`) weighs what its character does, not what its six bytes do. */
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
 * Quarters of a token in a body of JSON, white space and structure included. What is plain ASCII weighs its bytes; a long body of another kind is
 * weighed by pieces of it, so that this takes a millisecond at most.
 */
export function weighBody(raw: Uint8Array): number {
  const { byteLength } = raw;
  const ascii = isAscii(raw);
  // Nothing that is ASCII weighs more than its bytes.
  if (ascii && byteLength > SEARCHED_BYTES) return Math.min(weighPieces(raw), byteLength);
  if (ascii && !Buffer.from(raw.buffer, raw.byteOffset, byteLength).includes('\\u')) return byteLength;
  return byteLength <= WEIGHED_BYTES ? weighPiece(raw, 0, byteLength) : weighPieces(raw);
}
