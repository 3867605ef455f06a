import { expect } from 'chai';
import { array, assert, float, property } from 'fast-check';
import { respond } from '../exchange.ts';

const usage = {
  inputUncached: 8,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  source: 'provider',
} as const;
const vectors = [Float32Array.of(1, -2.5), Float32Array.of(0.1, 0)];

describe('embeddings: client response', () => {
  it('lists the vectors in order, with their indices, the model and the usage', () => {
    expect(respond({ model: 'text-embedding-3-small', vectors, usage })).to.deep.equal({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1, -2.5] },
        { object: 'embedding', index: 1, embedding: [Math.fround(0.1), 0] },
      ],
      model: 'text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    });
  });

  it('E48 writes little-endian 32-bit floats when base64 is requested', () => {
    const [first] = respond({ vectors, usage }, 'base64').data;
    expect(first?.embedding).to.equal(Buffer.from([0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0]).toString('base64'));
  });

  it('writes the same values in both encodings', () => {
    assert(
      property(array(float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 20 }), (values) => {
        const vector = Float32Array.from(values);
        const numbers = respond({ vectors: [vector] }).data[0]?.embedding;
        const bytes = Buffer.from(String(respond({ vectors: [vector] }, 'base64').data[0]?.embedding), 'base64');
        // JSON has no negative zero.
        const plain = vector.map((value) => value + 0);
        expect(Float32Array.from(numbers as readonly number[])).to.deep.equal(plain);
        expect(Float32Array.from(values, (_, index) => bytes.readFloatLE(index * 4) + 0)).to.deep.equal(plain);
      }),
    );
  });

  it('estimates a count that the provider left out, and generates a missing model name', () => {
    expect(respond({ vectors })).to.deep.include({ model: 'unknown', usage: { prompt_tokens: 10, total_tokens: 10 } });
  });
});
