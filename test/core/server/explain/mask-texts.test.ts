import { expect } from 'chai';
import { createMaskTexts } from '../../../../core/server/explain/redact.ts';

describe('createMaskTexts', () => {
  const mask = createMaskTexts(new Set(['secret-one', 'secret-one-and-more', 'pin7', '$.*[a]{1}']));

  for (const [text, masked] of [
    ['secret-one', '***'],
    ['Bearer secret-one.', 'Bearer ***.'],
    ['secret-onesecret-one', '******'],
    ['secret-one-and-more or secret-one-and-less', '*** or ***-and-less'],
    ['secret-on', 'secret-on'],
    ['$.*[a]{1} stands for itself', '*** stands for itself'],
    ['pin7', '***'],
    ['spin78', 'spin78'],
    ['', ''],
  ] as const)
    it(`masks ${JSON.stringify(text)} as ${JSON.stringify(masked)}`, () => expect(mask(text)).to.equal(masked));

  it('finds each of 100,000 secrets in a long text', () => {
    const many = new Set(Array.from({ length: 100_000 }, (_, index) => `the-key-of-caller-${index}`));
    const text = 'A word. '.repeat(50_000);
    expect(createMaskTexts(many)(`${text}the-key-of-caller-99999${text}`)).to.equal(`${text}***${text}`);
  });
});
