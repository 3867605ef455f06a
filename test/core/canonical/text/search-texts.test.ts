import { expect } from 'chai';
import { array, assert, constantFrom, property } from 'fast-check';
import { normalizeForSearch } from '../../../../core/canonical/text/normalize-for-search.ts';
import { planSearch } from '../../../../core/canonical/text/search-texts.ts';
import { sensitiveText } from '../../../../core/canonical/text/sensitive-text.ts';

const search = (...texts: readonly string[]): readonly (readonly string[])[] => {
  const plan = planSearch(texts);
  const found = plan.place(plan.searched.map((text) => sensitiveText.emails.find(text)));
  return texts.map((text, index) => (found[index] ?? []).map(({ start, end }) => text.slice(start, end)));
};

describe('the form in which texts are searched', () => {
  it('is the text itself for ASCII, and for other text in the form NFKC', () => {
    for (const text of ['', 'joe@example.com', 'Grüße aus Köln', '価格は千円です', 'Привет'])
      expect(normalizeForSearch(text), text).to.equal(undefined);
  });

  it('has no characters that a reader does not see, and compatible forms of the others', () => {
    for (const [text, normal] of [
      ['jo\u200Be', 'joe'],
      ['＠ｅ', '@e'],
      ['𝐣𝐨', 'jo'],
      ['ﬁn', 'fin'],
      ['e\u0301', 'é'],
      ['a\u{E0062}b', 'ab'],
    ] as const)
      expect(normalizeForSearch(text)?.text, text).to.equal(normal);
  });

  it('leads back to the original text, for any text and place', () => {
    const character = constantFrom('a', 'b', '@', '.', '\u200B', '＠', 'ﬁ', '𝐣', '\u0301', '\u{E0062}', 'é', '½', '中');
    assert(
      property(array(character, { maxLength: 30 }), (characters) => {
        const text = characters.join('');
        const normal = normalizeForSearch(text);
        if (normal === undefined) return;
        const { length } = normal.text;
        let before = 0;
        for (let start = 0; start < length; start += 1) {
          const place = normal.toOriginal({ start, end: start + 1 });
          expect(place.start).to.be.within(0, place.end - 1);
          expect(place.end).to.be.at.most(text.length);
          expect(place.start).to.be.at.least(before);
          before = place.start;
          const again = text.slice(place.start, place.end).normalize('NFKC');
          expect(again).to.include(normal.text.slice(start, start + 1));
        }
      }),
    );
  });

  it('what is found has the hidden characters within it, and none beside it', () => {
    expect(search('\u200Bjo\u200Be@exam\u00ADple.com\u200B.')).to.deep.equal([['jo\u200Be@exam\u00ADple.com']]);
  });
});

describe('the search of texts that a reader joins', () => {
  it('finds what is split between them, and what only one of them has', () => {
    expect(search('to joe@exa', 'mple', '.com.')).to.deep.equal([['joe@exa'], ['mple'], ['.com']]);
    expect(search('joe@example.com', `${'x'.repeat(30)} `)).to.deep.equal([['joe@example.com'], []]);
    expect(search('a', 'b')).to.deep.equal([[], []]);
    expect(search('', 'joe@', '', 'example.com')).to.deep.equal([[], ['joe@'], [], ['example.com']]);
  });
});
