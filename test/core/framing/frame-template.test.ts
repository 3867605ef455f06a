import { expect } from 'chai';
import { assert, boolean, constantFrom, oneof, property, string } from 'fast-check';
import type { JsonObject } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { FrameTemplate, type Varying } from '../../../core/api/internal.ts';

const frameOf = (data: string, event?: string) => ({ event, data });
const eventOf = (text: string, members: JsonObject = {}): string =>
  JSON.stringify({ type: 'delta', index: 0, delta: { text }, finish: null, ...members });

/** If a frame matches the template of another one, its text, number and padding must be extracted correctly. */
const compare = (learned: string, varying: Varying, other: string): boolean => {
  const template = new FrameTemplate();
  template.learn(frameOf(learned), varying);
  if (!template.match(frameOf(other))) return false;
  const refilled = (JSON.parse(other) as JsonObject)['delta'] as JsonObject;
  expect(template.text).to.equal(refilled['text']);
  const same = JSON.stringify({ ...(JSON.parse(learned) as JsonObject), ...pick(other), delta: refilled });
  expect(JSON.parse(same)).to.deep.equal(JSON.parse(other));
  return true;
};
const pick = (data: string): JsonObject => {
  const { sequence_number: number, obfuscation } = JSON.parse(data) as JsonObject;
  return omitUndefined({
    sequence_number: number,
    obfuscation,
  });
};

describe('events that differ in their text only', () => {
  it('recognises frames that differ in their text only, and extracts the text', () => {
    expect(compare(eventOf('one'), { text: 'one' }, eventOf('two words, “quoted” 😀'))).to.equal(true);
  });

  it('recognises frames that also differ in a number and padding', () => {
    const at = (text: string, sequence: number, obfuscation: string): string =>
      JSON.stringify({ sequence_number: sequence, delta: { text }, obfuscation, type: 'delta' });
    const template = new FrameTemplate();
    const number = { member: 'sequence_number', value: 9 };
    expect(template.learn(frameOf(at('one', 9, 'a1b2')), { text: 'one', padding: 'a1b2', number })).to.equal(true);
    expect(template.match(frameOf(at('two', 10, '')))).to.equal(true);
    expect([template.text, template.number]).to.deep.equal(['two', 10]);
    for (const odd of ['01', '1.5', '-1', '1e3', 'null', '12345678901234567890']) {
      const data = at('two', 7, 'x').replace(':7,', `:${odd},`);
      expect(template.match(frameOf(data)), odd).to.equal(false);
    }
  });

  const others: readonly (readonly [what: string, data: string, event?: string])[] = [
    ['an escape', eventOf('a "quote"')],
    ['a line break', eventOf('two\nlines')],
    ['a raw control character, which is no JSON', eventOf('one').replace('one', 'o\u0001e')],
    ['no text', eventOf('')],
    ['another structure', eventOf('one', { finish: 'stop' })],
    ['more behind it', `${eventOf('one')} `],
    ['less behind it', eventOf('one').slice(0, -1)],
    ['another name', eventOf('one'), 'error'],
  ];
  for (const [what, data, event] of others) {
    it(`does not match a frame that has ${what}`, () => {
      const template = new FrameTemplate();
      expect(template.learn(frameOf(eventOf('words')), { text: 'words' })).to.equal(true);
      expect(template.match(frameOf(eventOf('one')))).to.equal(true);
      expect(template.match(frameOf(data, event))).to.equal(false);
    });
  }

  it('learns no template if the position of the text is ambiguous', () => {
    const ambiguous: readonly (readonly [data: string, text: string])[] = [
      [eventOf('delta'), 'delta'],
      [eventOf('x', { more: 'x' }), 'x'],
      [eventOf(','), ','],
      ['{"model":"ab","delta":{"text":"\\u0061b"}}', 'ab'],
    ];
    for (const [data, text] of ambiguous)
      expect(new FrameTemplate().learn(frameOf(data), { text }), data).to.equal(false);
  });

  it('matches a frame only if parsing it gives the same result, for any content', () => {
    const word = oneof(string(), constantFrom('a', 'b', 'delta', ',', ':', '":"', 'text'));
    let matched = 0;
    assert(
      property(word, word, word, boolean(), (one, other, id, isSame) => {
        const second = eventOf(other, isSame ? { id } : { id: other });
        if (compare(eventOf(one, { id }), { text: one }, second)) matched += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(matched).to.be.above(100);
  });
});
