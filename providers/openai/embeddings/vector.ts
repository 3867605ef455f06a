import { GatewayError } from '../../../core/api/index.ts';
import { base64Bytes } from '../../../core/api/codec.ts';

const BYTES = 4;
/** Values of embeddings are near the unit sphere. A larger one means that the bytes are not floats (int8, bits). */
const MAX_VALUE = 1e6;

const badVector = (why: string): GatewayError =>
  new GatewayError('upstream_bad_response', `A vector of the provider ${why}.`);

/**
 * Little-endian floats:
 * https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-encoding_format
 */
export function formatBase64(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * BYTES);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * BYTES));
  return bytes.toString('base64');
}

const parseBase64 = (text: string): Float32Array => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % BYTES !== 0 || bytes.length !== base64Bytes(text))
    throw badVector('is not base64 of 32-bit floats');
  return new Float32Array(bytes.length / BYTES).map((_, index) => bytes.readFloatLE(index * BYTES));
};

const isNumbers = (value: readonly unknown[]): value is readonly number[] =>
  value.every((item) => typeof item === 'number');

const parseValues = (value: unknown): Float32Array => {
  if (typeof value === 'string') return parseBase64(value);
  if (Array.isArray(value) && value.length > 0 && isNumbers(value)) return new Float32Array(value);
  throw badVector('is neither a list of numbers nor base64');
};

/** @throws GatewayError `upstream_bad_response` unless the value is a list of numbers or base64 of floats */
export function parseVector(value: unknown): Float32Array {
  const vector = parseValues(value);
  if (!vector.every((number) => Math.abs(number) <= MAX_VALUE)) throw badVector('is not made of 32-bit floats');
  return vector;
}
