/** How many coordinates one word changes. */
const SPREAD = 16;

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const hashWord = (word: string): number => {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01_00_01_93);
  return hash | 1;
};

/** Xorshift: https://www.jstatsoft.org/article/view/v008i14 */
const shift = (state: number): number => {
  let next = state ^ (state << 13);
  next ^= next >>> 17;
  return next ^ (next << 5);
};

const addWord = (vector: Float32Array, word: string): void => {
  let state = hashWord(word);
  for (let step = 0; step < SPREAD; step += 1) {
    state = shift(state);
    const place = (state >>> 1) % vector.length;
    vector[place] = (vector[place] ?? 0) + ((state & 1) === 0 ? 1 : -1);
  }
};

/** Words of any script, or the whole text without any. */
const listWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];

/** A vector of length 1 that depends on the words only: texts with words in common are closer than others. */
export function createVector(input: string | readonly number[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of typeof input === 'string' ? listWords(input) : input.map(String)) addWord(vector, word);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}
