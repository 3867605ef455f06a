import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Frame } from '../../../core/contracts/framing.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { jsonArray } from '../../../core/framing/json-array.ts';
import { rechunk } from '../../../core/testing/index.ts';

const decode = (chunks: readonly (string | Uint8Array)[], frameBytes = 1_000_000): string[] => {
  const frames: string[] = [];
  const decoder = jsonArray.decoder({ frameBytes });
  const emit = ({ event, data }: Frame): void => {
    expect(event).to.equal(undefined);
    frames.push(data);
  };
  for (const chunk of chunks) decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, emit);
  decoder.end(emit);
  return frames;
};

const writeArray = (elements: readonly string[]): string => {
  const { writer } = jsonArray;
  return elements.map((data, index) => writer?.frame('ignored', data, index === 0)).join('') + String(writer?.close());
};

describe('json-array framing', () => {
  it('writes one JSON array, with white space before and between its elements', () => {
    const { writer } = jsonArray;
    const text = `${writer?.idle()}${writer?.frame(undefined, '{"a":1}', true)}${writer?.idle()}${writer?.frame(undefined, '{"a":2}', false)}${writer?.close()}`;
    expect(JSON.parse(text)).to.deep.equal([{ a: 1 }, { a: 2 }]);
    expect(jsonArray.contentType).to.equal('application/json');
  });

  it('the JSON array framing decodes its own output in any chunking', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(40), { maxLength: 60 }),
        (objects, cuts) => {
          const elements = objects.map((element) => JSON.stringify(element));
          const bytes = Buffer.from(writeArray(elements));
          const chunks: Uint8Array[] = [];
          let at = 0;
          for (const cut of cuts) {
            chunks.push(bytes.subarray(at, at + cut));
            at += cut;
          }
          chunks.push(bytes.subarray(at));
          expect(decode(chunks)).to.deep.equal(elements);
        },
      ),
    );
  });

  it('the JSON array framing emits the same elements in any chunking, for any input', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '{"a":1}',
      '{"a":[{"b":{}}]}',
      '"',
      '\\',
      '\\"',
      '"}',
      '"]',
      ',',
      ',\r\n',
      ' ',
      'é',
      '😀',
      '"{',
      '1',
      'null',
      '\0',
      '\uFEFF',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
        const bytes = Buffer.from(`[${pieces.join('')}`);
        expect(decode(rechunk(bytes, cuts))).to.deep.equal(decode([bytes]));
      }),
      { numRuns: 10_000 },
    );
  });

  it('emits a single object, and an element that was cut off', () => {
    expect(decode(['{"error":{"code":400}}'])).to.deep.equal(['{"error":{"code":400}}']);
    expect(decode(['[{"a":1},{"b":', '"}'])).to.deep.equal(['{"a":1}', '{"b":"}']);
  });

  it('the JSON array framing refuses an element above the maximum length', () => {
    const long = `[{"a":"${'x'.repeat(50)}"}]`;
    expect(() => decode([long], 20))
      .to.throw(GatewayError)
      .with.property('code', 'upstream_bad_response');
    expect(decode(['[{"a":1},{"a":2}]'], 7)).to.have.length(2);
  });
});
