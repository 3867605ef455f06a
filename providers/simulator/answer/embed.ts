import { hash } from 'node:crypto';
import { invalidRequest, type EmbedRequest, type EmbedResponse } from '../../../core/api/index.ts';
import { calculateTokens } from '../tokens.ts';
import { composeUsage, createContext, formatBody, type ParsedCall, type OperationHandler } from '../transport.ts';

type Input = EmbedRequest['inputs'][number];

const DIMENSIONS = 256;
const MAX_DIMENSIONS = 8_192;
/** Limits the numbers of all vectors together, because a response is held in memory. */
const MAX_NUMBERS = 4_194_304;

const isText = (input: Input): input is string => typeof input === 'string';

/** The inputs without directives, which can be in the last text. */
const readInputs = ({ request: { inputs }, text }: ParsedCall<'embed'>): readonly Input[] => {
  const last = inputs.findLastIndex(isText);
  return inputs.map((input, index) => (index === last ? text : input));
};

const countInput = (input: Input): number => (isText(input) ? calculateTokens(input.length) : input.length);

/** @throws GatewayError 400 when the response would not fit in memory */
const checkSize = ({ inputs, dimensions = DIMENSIONS }: EmbedRequest): void => {
  if (dimensions <= MAX_DIMENSIONS && dimensions * inputs.length <= MAX_NUMBERS) return;
  throw invalidRequest(
    'dimensions',
    `The simulator returns at most ${MAX_DIMENSIONS} dimensions and ${MAX_NUMBERS} numbers in one response.`,
  );
};

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

/** Returns a vector for each text or list of token ids, the same for the same input. */
export const embedHandler: OperationHandler<'embed'> = {
  readText: ({ inputs }) => inputs.findLast(isText) ?? '',
  check: checkSize,
  reply: (parsed, target) => {
    const { request, settings } = parsed;
    const inputs = readInputs(parsed);
    const tokens = inputs.reduce((sum, input) => sum + countInput(input), 0);
    const response: EmbedResponse = {
      model: target.model.name,
      vectors: inputs.map((input) => createVector(input, request.dimensions ?? DIMENSIONS)),
      ...composeUsage(settings, tokens),
    };
    const context = createContext(parsed, target, {
      digest: hash('sha256', JSON.stringify(inputs), 'hex'),
      tokens: settings.usage === false ? 0 : tokens,
    });
    return { body: formatBody(target.side.encodeResponse(response, context)) };
  },
};
