import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Frame } from '../../../core/contracts/framing.ts';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { ndjson } from '../../../core/framing/ndjson.ts';

const decode = (chunks: readonly (string | Uint8Array)[], frameBytes = 1_000_000): Frame[] => {
  const frames: Frame[] = [];
  const decoder = ndjson.decoder({ frameBytes });
  const emit = (frame: Frame): void => void frames.push(frame);
  for (const chunk of chunks) decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, emit);
  decoder.end(emit);
  return frames;
};
const dataOf = (frames: readonly Frame[]): string[] => frames.map(({ data }) => data);

describe('ndjson framing', () => {
  it('the ndjson framing decodes its own output in any chunking', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    const cuts = fc.array(fc.nat(40), { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 5 }), cuts, (objects, sizes) => {
        const lines = objects.map((value) => JSON.stringify(value));
        const bytes = Buffer.from(lines.map((line) => ndjson.writer?.frame('ignored', line, false)).join(''));
        let at = 0;
        const chunks = [...sizes, bytes.length].map((size) => bytes.subarray(at, (at += size)));
        const frames = decode(chunks);
        expect(dataOf(frames)).to.deep.equal(lines);
        expect(Buffer.concat(frames.map(({ raw }) => raw ?? Buffer.alloc(0)))).to.deep.equal(bytes);
      }),
    );
  });

  it('the ndjson framing reads CRLF, blank lines and a last line without a line break', () => {
    expect(dataOf(decode(['{"a":1}\r\n\n', '{"b"', ':2}']))).to.deep.equal(['{"a":1}', '', '{"b":2}']);
  });

  it('a blank line of ndjson keeps a stream open and carries no data', () => {
    expect(dataOf(decode([ndjson.writer?.idle() ?? '', '{}\n']))).to.deep.equal(['', '{}']);
  });

  it('the ndjson framing refuses a line above the limit, complete or not', () => {
    for (const chunks of [['x'.repeat(11)], ['x'.repeat(6), 'x'.repeat(5)], [`${'x'.repeat(11)}\n`]])
      expect(() => decode(chunks, 10)).to.throw(GatewayError, 'longer than 10 bytes');
    expect(dataOf(decode([`${'x'.repeat(9)}\n`, 'y'], 10))).to.deep.equal(['x'.repeat(9), 'y']);
  });
});
