import { expect } from 'chai';
import * as fc from 'fast-check';
import { selectSuggestion } from '../../../core/config/suggest.ts';

describe('selectSuggestion', () => {
  for (const [word, known, expected] of [
    ['baseURL', ['baseUrl', 'apiKey'], 'baseUrl'],
    ['prot', ['host', 'port'], 'port'],
    ['timouts', ['timeouts', 'use'], 'timeouts'],
    ['keepAliveEvry', ['openAfter', 'keepaliveEvery'], 'keepaliveEvery'],
    ['colour', ['host', 'port'], undefined],
    ['x', ['use'], undefined],
    ['ab', ['cd'], undefined],
    ['', ['use'], undefined],
  ] as const)
    it(`suggests ${String(expected)} for "${word}"`, () => {
      expect(selectSuggestion(word, known)).to.equal(expected);
    });

  it('suggests the most similar word', () => {
    expect(selectSuggestion('modelx', ['models-x', 'modules', 'model'])).to.equal('model');
  });

  it('suggests the original word after any single edit', () => {
    const word = fc.string({ minLength: 3, maxLength: 12, unit: fc.constantFrom(...'abcdefgh') });
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('insert', 'delete', 'replace', 'swap'), (text, at, edit) => {
        const index = at % (text.length - 1);
        const edits = {
          insert: `${text.slice(0, index)}z${text.slice(index)}`,
          delete: text.slice(0, index) + text.slice(index + 1),
          replace: `${text.slice(0, index)}z${text.slice(index + 1)}`,
          swap: text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2),
        };
        expect(selectSuggestion(edits[edit], ['something-else', text])).to.equal(text);
      }),
    );
  });
});
