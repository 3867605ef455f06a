import { expect } from 'chai';
import * as fc from 'fast-check';
import { MAX_DEPTH, readJsonLayout } from '../../../core/framing/json-layout.ts';

const layoutOf = (text: string) => readJsonLayout(Buffer.from(text));
/** Name, and the text of the value, as the layout cuts them out. */
const cutOut = (text: string) => {
  const bytes = Buffer.from(text);
  return readJsonLayout(bytes).members.map(({ name, valueStart, end }) => [
    name,
    bytes.toString('utf8', valueStart, end),
  ]);
};

describe('the layout of a JSON text', () => {
  it('the layout of a JSON text has the offsets of every top-level member', () => {
    expect(cutOut(' { "a" : 1e400 ,\n"b":"x,\\"}\\\\" , "é":[{"c":1},2 ]\t,"d":null}\n')).to.deep.equal([
      ['a', '1e400'],
      ['b', '"x,\\"}\\\\"'],
      ['é', '[{"c":1},2 ]'],
      ['d', 'null'],
    ]);
  });
  it('a member starts at the quote of its key, and the layout ends at the closing brace', () => {
    const text = ' {  "a":1 } ';
    const { members, close } = layoutOf(text);
    expect(text.slice(members[0]?.start, members[0]?.end)).to.equal('"a":1');
    expect(close).to.equal(text.lastIndexOf('}'));
  });
  it('resolves escapes in the names of members', () => {
    expect(layoutOf('{"mod\\u0065l":1,"a\\nb":2}').members.map(({ name }) => name)).to.deep.equal(['model', 'a\nb']);
  });
  it('lists every occurrence of a repeated top-level member, escaped or not', () => {
    expect(
      layoutOf('{"model":1,"a":{"a":1,"a":2},"mod\\u0065l":2,"b":1,"b":1}').members.map(({ name }) => name),
    ).to.deep.equal(['model', 'a', 'model', 'b', 'b']);
  });
  it('finds no closing brace in a text that is not an object', () => {
    for (const text of ['[{"a":1}]', '"{}"', '1', 'null', ' [ ] ']) {
      const { members, close } = layoutOf(text);
      expect({ members, close }, text).to.deep.equal({ members: [], close: -1 });
    }
  });
  it('counts the objects and arrays of a JSON text', () => {
    expect([layoutOf('1').depth, layoutOf('{}').depth, layoutOf('{"a":[{}],"b":{}}').depth]).to.deep.equal([0, 1, 3]);
  });
  it('stops at the maximum depth of a JSON text', () => {
    const nest = (depth: number) => `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;
    expect(layoutOf(nest(MAX_DEPTH)).depth).to.equal(MAX_DEPTH);
    expect(layoutOf(nest(MAX_DEPTH + 2)).depth).to.equal(MAX_DEPTH + 1);
    expect(layoutOf('['.repeat(1_000_000)).depth).to.equal(MAX_DEPTH + 1);
  });
  it('reports the path of a __proto__ key, escaped or not', () => {
    expect(layoutOf('{"__proto__":{}}').protoPath).to.equal('__proto__');
    expect(layoutOf('{"m":[1,{"c":[0,0,{"\\u005f_proto__":1}]}]}').protoPath).to.equal('m[1].c[2].__proto__');
    expect(layoutOf('{"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}').protoPath).to.equal(
      '__proto__',
    );
  });
  it('does not mistake a value or a longer name for a __proto__ key', () => {
    expect(
      layoutOf('{"a":"__proto__","b":["__proto__"],"__proto__x":1,"x__proto__":2,"_________":3}').protoPath,
    ).to.equal(undefined);
  });
  it('skips long strings with escaped quotes', () => {
    const long = JSON.stringify(`${'x'.repeat(50)}",${'\\'.repeat(7)}",",${'y'.repeat(50)}\\`);
    expect(cutOut(`{"a":${long},"b":1}`)).to.deep.equal([
      ['a', long],
      ['b', '1'],
    ]);
  });
  it('reads a text of many members in linear time', () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`);
    expect(layoutOf(`{${members.join(',')}}`).members).to.have.length(100_000);
  });
  it('the layout of a JSON text agrees with JSON.parse about every member', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (value, indent) => {
          const members = cutOut(JSON.stringify(value, null, indent)).map(([name, text]) => [
            name,
            JSON.parse(text ?? ''),
          ]);
          expect(members).to.deep.equal(Object.entries(JSON.parse(JSON.stringify(value)) as object));
        },
      ),
    );
  });
});
