import { expect } from 'chai';
import { PartialArgs } from '../../../../../../providers/google/generate-content/upstream/response/call-reader.ts';
import { chunk, foldChunks, origin, readChunks, stop } from '../exchange.ts';

const call = (functionCall: object, more = {}) => chunk([{ functionCall, ...more }]);
const callsOf = (...chunks: readonly unknown[]) =>
  foldChunks(...chunks, chunk([{ text: '' }], stop)).choices[0]?.parts.map((part) =>
    part.type === 'tool-call' ? [part.name, part.input, part.proof?.value] : part.type,
  );
const build = (...pieces: readonly object[]) => {
  const args = new PartialArgs({});
  for (const piece of pieces) args.add([piece]);
  return JSON.parse(JSON.stringify(args.value)) as unknown;
};

describe('calls that arrive argument by argument', () => {
  it('fragments of a call are one call with one text of arguments', () => {
    expect(
      callsOf(
        call({ name: 'read', willContinue: true }, { thoughtSignature: 'S' }),
        call({ partialArgs: [{ jsonPath: '$.id', stringValue: 'A', willContinue: true }], willContinue: true }),
        call({ partialArgs: [{ jsonPath: '$.id', stringValue: 'B' }], willContinue: true }),
        call({}),
        call({ name: 'read', args: { id: 'C' } }),
        call({ name: 'now' }),
      ),
    ).to.deep.equal([
      ['read', '{"id":"AB"}', 'S'],
      ['read', '{"id":"C"}', undefined],
      ['now', '{}', undefined],
    ]);
  });

  it('calls end when another part starts or the response ends', () => {
    const begun = call({ name: 'f', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }], willContinue: true });
    expect(callsOf(begun, chunk([{ text: 'x' }]))).to.deep.equal([['f', '{"a":1}', undefined], 'text']);
    expect(callsOf(begun, call({ name: 'g', args: {} }))).to.deep.equal([
      ['f', '{"a":1}', undefined],
      ['g', '{}', undefined],
    ]);
    expect(callsOf(begun)).to.deep.equal([['f', '{"a":1}', undefined]]);
    for (const next of [
      { text: 'x' },
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
      { executableCode: {} },
    ]) {
      const ends = readChunks(begun, chunk([next], stop)).flatMap((event) =>
        event.type === 'part-end' ? [event.part] : [],
      );
      expect(ends, JSON.stringify(next)).to.deep.equal([0, 1]);
    }
  });

  it('calls keep the signature of any of their chunks', () => {
    const parts = foldChunks(
      call({ name: 'f', willContinue: true }),
      call({}, { thoughtSignature: 'S' }),
      chunk([], stop),
    ).choices[0]?.parts;
    expect(parts).to.deep.equal([
      { type: 'tool-call', kind: 'function', id: 'call_3_0', name: 'f', input: '{}', proof: { origin, value: 'S' } },
    ]);
  });

  it('calls that arrive argument by argument have values of every kind at any path', () => {
    expect(
      build(
        { jsonPath: '$.a.b[0].c', stringValue: 'x' },
        { jsonPath: '$.a.b[1]', numberValue: 2 },
        { jsonPath: "$['odd.key']", boolValue: false },
        { jsonPath: '$["n"]', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.a.d', stringValue: 'p', willContinue: true },
        { jsonPath: '$.e', stringValue: 'between' },
        { jsonPath: '$.a.d', stringValue: 'q' },
        { jsonPath: '$.f', stringValue: 'x', willContinue: true },
        { jsonPath: '$.f', stringValue: 'y' },
        { jsonPath: '$.f', stringValue: 'z' },
        { jsonPath: '$.e', stringValue: 'anew' },
      ),
    ).to.deep.equal({ 'a': { b: [{ c: 'x' }, 2], d: 'pq' }, 'odd.key': false, 'n': null, 'e': 'anew', 'f': 'z' });
  });

  it('calls with hostile paths neither overflow the stack nor pollute prototypes', () => {
    expect(build({ jsonPath: '$.a[4000000000]', stringValue: 'x' })).to.deep.equal({ a: ['x'] });
    expect(build({ jsonPath: '$', stringValue: 'x' }, { stringValue: 'x' }, { jsonPath: '$.a' })).to.deep.equal({});
    expect(() => JSON.stringify(build({ jsonPath: `$${'.a'.repeat(20_000)}`, stringValue: 'x' }))).to.not.throw();
    build(
      { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
      { jsonPath: '$.constructor.prototype.polluted', stringValue: 'x' },
    );
    expect('polluted' in {}).to.equal(false);
  });
});
