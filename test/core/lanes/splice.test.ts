import { expect } from 'chai';
import * as fc from 'fast-check';
import type { BodyEdit } from '../../../core/contracts/native.ts';
import { readJsonLayout } from '../../../core/framing/json-layout.ts';
import { spliceBody } from '../../../core/lanes/native/splice.ts';

const splice = (text: string, ...edits: readonly BodyEdit[]): string => {
  const raw = Buffer.from(text);
  return Buffer.from(spliceBody(raw, readJsonLayout(raw), edits)).toString();
};
const set = (member: string, value: unknown): BodyEdit => ({ member, value });
const drop = (member: string): BodyEdit => ({ member, value: undefined });

describe('splicing a request body', () => {
  it("replaces a member's value and leaves every other byte unchanged", () => {
    const text = '{ "seed": 9007199254740993 ,\r\n\t"model" : "gpt" , "t":1e400,"u":"\\u00e9\\/😀" }\n';
    expect(splice(text, set('model', 'x"y'))).to.equal(text.replace('"gpt"', '"x\\"y"'));
  });
  it('removes the first, a middle, the last and the only member with its comma', () => {
    const text = '{ "a":1 , "b":2 , "c":3 }';
    expect(splice(text, drop('a'))).to.equal('{ "b":2 , "c":3 }');
    expect(splice(text, drop('b'))).to.equal('{ "a":1 , "c":3 }');
    expect(splice(text, drop('c'))).to.equal('{ "a":1 , "b":2 }');
    expect(splice(text, drop('a'), drop('b'))).to.equal('{ "c":3 }');
    expect(splice(text, drop('b'), drop('c'))).to.equal('{ "a":1 }');
    expect(splice(text, drop('a'), drop('c'))).to.equal('{ "b":2 }');
    expect(splice(text, drop('a'), drop('b'), drop('c'))).to.equal('{  }');
    expect(splice('{"a":1}', drop('a'))).to.equal('{}');
  });
  it('adds a member before the closing brace, also to an empty object', () => {
    expect(splice('{ "a":1\n}', set('b', [1]), set('c', null))).to.equal('{ "a":1,"b":[1],"c":null\n}');
    expect(splice(' { } ', set('a', 1), set('b', 2))).to.equal(' { "a":1,"b":2} ');
    expect(splice('{"a":1}', drop('a'), set('b', 2))).to.equal('{"b":2}');
    expect(splice('{"a":1,"z":0}', drop('z'), set('b', 2))).to.equal('{"a":1,"b":2}');
  });
  it('edits a repeated member at each place, so that every parser reads the same value', () => {
    expect(splice('{"model":"a","n":1,"mod\\u0065l":"b"}', set('model', 'c'))).to.equal(
      '{"model":"c","n":1,"mod\\u0065l":"c"}',
    );
    expect(splice('{"model":"a","n":1,"model":"b"}', drop('model'))).to.equal('{"n":1}');
  });
  it('an edit finds a member whose name is a quote', () => {
    expect(splice('{"\\"":1,"a":2}', set('"', 3))).to.equal('{"\\"":3,"a":2}');
  });
  it('applies the last of several edits of one member', () => {
    expect(splice('{"a":1}', set('a', 2), drop('a'))).to.equal('{}');
    expect(splice('{"a":1}', drop('a'), set('a', 2))).to.equal('{"a":2}');
  });
  it('returns the same body if there is nothing to edit', () => {
    const raw = Buffer.from('{"a":1}');
    const layout = readJsonLayout(raw);
    expect(spliceBody(raw, layout, [])).to.equal(raw);
    expect(spliceBody(raw, layout, [drop('b')])).to.equal(raw);
  });
  it('refuses to edit a body that is not an object', () => {
    expect(() => splice('[{"a":1}]', set('a', 2)))
      .to.throw('must be a JSON object')
      .with.property('code', 'invalid_request');
  });

  const space = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
  // No key ends in an escaped quote: V8 reads {"\""} as {"\\"} if it has seen the latter before (Node 24.21), and
  // these tests compare with JSON.parse.
  const name = fc.constantFrom(
    'a',
    'b',
    'model',
    'mod\\u0065l',
    '\\"q',
    'é',
    '😀',
    '',
    'long name that is longer than the loop',
  );
  const value = fc.oneof(
    fc.json(),
    fc.constantFrom('1e400', '9007199254740993', '-0.0', '"\\ud83d"', '"\\\\"', '[ ]', '{ "a" : [ "}" ] }'),
  );
  const member = fc
    .tuple(space, name, space, space, value, space)
    .map(([a, key, b, c, text, d]) => `${a}"${key}"${b}:${c}${text}${d}`);
  const body = fc
    .tuple(
      space,
      fc.oneof(
        space,
        fc.array(member, { minLength: 1, maxLength: 6 }).map((members) => members.join(',')),
      ),
      space,
    )
    .map(([a, inner, b]) => `${a}{${inner}}${b}`);
  const edit = fc.record({
    member: fc.constantFrom('a', 'b', 'model', '"q', 'new', '😀'),
    value: fc.option(fc.jsonValue(), { nil: undefined }),
  });

  it('changes the bytes like assignment changes the parsed object', () => {
    fc.assert(
      fc.property(body, fc.array(edit, { maxLength: 4 }), (text, edits) => {
        const expected = new Map(Object.entries(JSON.parse(text) as object));
        for (const { member: key, value: wanted } of edits) {
          if (wanted === undefined) expected.delete(key);
          else expected.set(key, JSON.parse(JSON.stringify(wanted)));
        }
        expect(JSON.parse(splice(text, ...edits))).to.deep.equal(Object.fromEntries(expected));
      }),
      { numRuns: 5_000 },
    );
  });
  it('keeps the text of every member that is not edited, in its order', () => {
    const texts = (json: string, without: ReadonlySet<string>) => {
      const raw = Buffer.from(json);
      return readJsonLayout(raw)
        .members.filter((found) => !without.has(found.name))
        .map(({ start, end }) => raw.toString('utf8', start, end));
    };
    fc.assert(
      fc.property(body, fc.array(edit, { maxLength: 4 }), (text, edits) => {
        const without = new Set(edits.map((change) => change.member));
        expect(texts(splice(text, ...edits), without)).to.deep.equal(texts(text, without));
      }),
      { numRuns: 2_000 },
    );
  });
});
