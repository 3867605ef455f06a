import { expect } from 'chai';
import * as fc from 'fast-check';
import { isObject, readMembers } from '../../../core/canonical/json/members.ts';
import { isRawNumber } from '../../../core/canonical/json/raw-number.ts';
import { parseDigits, parseExactJson } from '../../../core/framing/exact-json.ts';
import { readJsonLayout } from '../../../core/framing/json-layout.ts';

const again = (text: string): string => JSON.stringify(parseExactJson(text));
const hasLongNumber = (text: string): boolean => readJsonLayout(Buffer.from(text)).hasLongNumber;

describe('exact JSON', () => {
  it('preserves the digits of integers beyond 2^53', () => {
    for (const text of [
      '{"id":9007199254740993}',
      '[-12345678901234567890,1]',
      '{"a":{"b":[{"c":340282366920938463463374607431768211456}]}}',
      '9007199254740993',
      '-9007199254740993',
    ])
      expect(again(text)).to.equal(text);
  });

  it('exact JSON parses everything else like JSON.parse', () => {
    const text = '{"a":1,"b":"12345678901234567890","c":0.12345678901234567,"d":1e400,"e":null,"f":9007199254740991}';
    expect(parseExactJson(text)).to.deep.equal(JSON.parse(text));
    expect(parseDigits(text)).to.deep.equal(JSON.parse(text));
    expect(parseExactJson('{"a":')).to.equal(undefined);
  });

  it('exact JSON preserves any integer at any position', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
        fc.string().map((text) => JSON.stringify(text)),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
      object: fc
        .dictionary(
          fc.string({ unit: 'grapheme-ascii' }).filter((key) => key !== '__proto__' && !/^\d+$/.test(key)),
          tie('value'),
          { maxKeys: 3 },
        )
        .map(
          (members) =>
            `{${Object.entries(members)
              .map(([key, member]) => `${JSON.stringify(key)}:${String(member)}`)
              .join(',')}}`,
        ),
    })).value as fc.Arbitrary<string>;
    fc.assert(
      fc.property(value, (text) => {
        expect(again(text)).to.equal(text);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps long integers as leaves, which readers of numbers accept', () => {
    const body = parseExactJson('{"id":9007199254740993,"seed":9007199254740993}');
    const members = readMembers(body);
    expect(isObject(members.value('id'))).to.equal(false);
    expect(isRawNumber(members.value('id'))).to.equal(true);
    expect(members.number('seed')).to.equal(9007199254740992);
    expect(() => members.number('seed', { integer: true })).to.throw("'seed' must be an integer.");
    expect(() => members.string('id')).to.throw("'id' must be a string, not a number.");
    expect(() => members.object('id')).to.throw("'id' must be an object, not a number.");
  });

  it('distinguishes long integers from long texts, fractions and lists of short ones', () => {
    for (const text of [
      '{"a":1234567890123456}',
      '[-1234567890123456]',
      '1234567890123456',
      '{"a":[1,{"b":12345678901234567890}]}',
    ])
      expect(hasLongNumber(text), text).to.equal(true);
    for (const text of [
      '{"a":"1234567890123456"}',
      '{"a":123456789012345}',
      '[0.1234567890123456]',
      '[12345678,12345678]',
      '[1.12345678901234567,12]',
      '{"1234567890123456":1}',
    ])
      expect(hasLongNumber(text), text).to.equal(false);
  });
});
