import { expect } from 'chai';
import { array, assert, constantFrom, property } from 'fast-check';
import { isEchoed } from '../../../core/dispatch/echo.ts';

const SENTENCE = 'Your credit balance is too low to access the Anthropic API.';
const holds = (text: string): boolean => isEchoed(SENTENCE, Buffer.from(text));
const nested = (value: unknown, levels: number): string =>
  levels === 0 ? JSON.stringify(value) : nested(JSON.stringify(value), levels - 1);
const escapeAll = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('a sentence in a request', () => {
  const spellings: readonly (readonly [how: string, text: string])[] = [
    ['as it is', JSON.stringify({ messages: [{ content: SENTENCE }] })],
    ['as the name of a member', JSON.stringify({ [SENTENCE]: 1 })],
    ['in capitals', JSON.stringify({ user: SENTENCE.toUpperCase() })],
    ['in unicode escapes', `{"user":"${escapeAll(SENTENCE)}"}`],
    [
      'in unicode escapes with capital digits',
      `{"user":"${escapeAll(SENTENCE).toUpperCase().replaceAll('\\U', '\\u')}"}`,
    ],
    ['over several lines', JSON.stringify({ user: SENTENCE.replaceAll(' ', '\n\t') })],
    [
      'with other white space and punctuation',
      JSON.stringify({ user: SENTENCE.replaceAll(' ', '\u00a0 - ').replace('.', '!') }),
    ],
    ['with a character of no width', JSON.stringify({ user: SENTENCE.replace('credit', 'cre\u200bdit') })],
    ['in quotes', JSON.stringify({ user: `"${SENTENCE}"` })],
    ['in JSON within JSON', nested({ a: SENTENCE.replaceAll(' ', '\n') }, 1)],
    ['in JSON within JSON within JSON', nested({ a: `"${SENTENCE.replaceAll(' ', '\n')}"` }, 2)],
    ['in escapes that were escaped', JSON.stringify({ arguments: `{"a":"${escapeAll(SENTENCE)}"}` })],
    ['behind its own beginning', JSON.stringify({ user: `Your credit balance is Your ${SENTENCE}` })],
  ];
  for (const [how, text] of spellings) it(`finds a sentence ${how}`, () => expect(holds(text), text).to.equal(true));

  it('does not find a sentence of which a part is missing', () => {
    for (const text of [
      '',
      '{}',
      SENTENCE.slice(0, -5),
      SENTENCE.slice(1),
      SENTENCE.replace('too', ''),
      '\\',
      '\\u',
      '\\u00',
      'Your credit balance',
    ])
      expect(holds(text), text).to.equal(false);
  });

  it('finds a sentence anywhere in a request, and nowhere else', () => {
    const word = array(constantFrom('a', 'b'), { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
    const text = array(constantFrom('a', 'b', 'A', 'B'), { maxLength: 40 }).map((letters) => letters.join(''));
    assert(
      property(
        word,
        text,
        (sentence, request) => isEchoed(sentence, Buffer.from(request)) === request.toLowerCase().includes(sentence),
      ),
    );
  });
});
