import { expect } from 'chai';
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { longestCard, longestIban } from '../../../core/canonical/text/check-digits.ts';
import {
  mergeSpans,
  replaceSpans,
  sensitiveText,
  type SensitiveKind,
} from '../../../core/canonical/text/sensitive-text.ts';

const findAll = (kind: SensitiveKind, text: string): readonly string[] =>
  sensitiveText[kind].find(text).map(({ start, end }) => text.slice(start, end));

const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE+/abc==\nabc\n-----END RSA PRIVATE KEY-----';
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk123';

/** ISO/IEC 7812, annex B. */
const isCard = (text: string): boolean => {
  const digits = [...text.replaceAll(/\D/g, '')].map(Number).reverse();
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? [digit] : [...String(digit * 2)].map(Number)));
  return (
    digits.length >= 13 && new Set(digits).size > 1 && doubled.flat().reduce((sum, one) => sum + one, 0) % 10 === 0
  );
};
/** ISO 13616. */
const isIban = (text: string): boolean => {
  const account = text.replaceAll(' ', '');
  const number = [...account.slice(4), ...account.slice(0, 4)].map((one) => Number.parseInt(one, 36)).join('');
  return account.length >= 15 && BigInt(number) % 97n === 1n;
};
const longestValid = (text: string, isValid: (text: string) => boolean): number =>
  Array.from({ length: text.length }, (_, at) => text.length - at).find(
    (end) => /^(?:[ -]|$)/.test(text.slice(end)) && isValid(text.slice(0, end)),
  ) ?? 0;

describe('detectors of sensitive text', () => {
  it('finds keys of vendors, and no words that look like their beginnings', () => {
    const found = ['sk-proj-abcdefghijklmnopqrstuv', 'AKIAIOSFODNN7EXAMPLE', `ghp_${'0a'.repeat(18)}`];
    expect(findAll('api-keys', `${found.join(' and ')}, task-force, sk-learn, AKIA`)).to.deep.equal(found);
  });

  it('finds private keys with their bodies, also with escaped line ends and without their last line', () => {
    expect(findAll('private-keys', `a ${key} b`)).to.deep.equal([key]);
    const escaped = key.replaceAll('\n', '\\n');
    expect(findAll('private-keys', `{"key":"${escaped}"}`)).to.deep.equal([escaped]);
    expect(findAll('private-keys', key.slice(0, 44))).to.deep.equal([key.slice(0, 44)]);
  });

  it('finds signed tokens and e-mail addresses', () => {
    expect(findAll('signed-tokens', `token=${token};`)).to.deep.equal([token]);
    expect(findAll('emails', 'a.b@example.com, x@y, "Joe" <joe+x@sub.example.co.uk>.')).to.deep.equal([
      'a.b@example.com',
      'joe+x@sub.example.co.uk',
    ]);
  });

  it('finds card numbers by their check digit', () => {
    expect(
      findAll('card-numbers', '4111 1111 1111 1111 123, 4111111111111112, 5500-0000-0000-0004, 0000000000000000'),
    ).to.deep.equal(['4111 1111 1111 1111', '5500-0000-0000-0004']);
  });

  it('finds IBANs by their check digits, also before a word in capitals', () => {
    expect(
      findAll('ibans', 'DE89 3704 0044 0532 0130 00 AND GB29NWBK60161331926819, DE88370400440532013000'),
    ).to.deep.equal(['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819']);
  });

  it('card numbers and IBANs have the check digits that their standards define, whatever follows them', () => {
    const digits = array(constantFrom(...'0123456789'), { minLength: 13, maxLength: 19 });
    const separators = array(constantFrom('', '', ' ', '-'), { minLength: 19, maxLength: 19 });
    const spaced = (characters: readonly string[], between: readonly string[]): string =>
      characters
        .map((character, index) => character + (between[index] ?? ''))
        .join('')
        .replace(/[ -]$/, '');
    assert(
      property(digits, separators, (characters, between) => {
        const text = spaced(characters, between);
        expect(longestCard(text), text).to.equal(longestValid(text, isCard));
      }),
      { numRuns: 2_000 },
    );
    const account = array(constantFrom(...'0123456789ABCXYZ'), { minLength: 11, maxLength: 30 });
    const spaces = array(constantFrom('', '', ' '), { minLength: 34, maxLength: 34 });
    assert(
      property(integer({ min: 10, max: 99 }), account, spaces, (check, characters, between) => {
        const text = `DE${check}${spaced(characters, between)}`;
        expect(longestIban(text), text).to.equal(longestValid(text, isIban));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds nothing that is longer than the length that it declares', () => {
    const long = {
      'api-keys': `github_pat_${'a'.repeat(900)}`,
      'signed-tokens': `eyJ${'a'.repeat(1_000)}.eyJ${'a'.repeat(1_000)}.${'a'.repeat(500)}`,
      'private-keys': `-----BEGIN RSA PRIVATE KEY-----${'A'.repeat(9_000)}`,
      'emails': `${'a'.repeat(64)}@${`${'a'.repeat(63)}.`.repeat(4)}${'a'.repeat(24)}`,
      'card-numbers': '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
      'ibans': 'D E 8 9',
    } as const;
    for (const [kind, { maxLength, find }] of Object.entries(sensitiveText))
      for (const { start, end } of find(long[kind as SensitiveKind])) expect(end - start).to.be.at.most(maxLength);
    expect(findAll('signed-tokens', long['signed-tokens'])).to.have.length(1);
    expect(findAll('emails', long.emails)).to.have.length(1);
    expect(findAll('private-keys', long['private-keys'])).to.have.length(1);
  });

  it('reads a million characters that begin a match everywhere', () => {
    const pieces = ['a', '1', 'a@', '1 ', 'AB12 ', 'eyJa.', 'sk-', 'a.', '-----BEGIN PRIVATE KEY-----'];
    for (const { find } of Object.values(sensitiveText))
      for (const piece of pieces) expect(find(piece.repeat(1_000_000 / piece.length)).length).to.be.below(1_000_000);
  });

  it('unites spans and replaces them', () => {
    const spans = mergeSpans([
      { start: 4, end: 6 },
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ]);
    expect(spans).to.deep.equal([
      { start: 0, end: 3 },
      { start: 4, end: 6 },
    ]);
    expect(replaceSpans('abcdefg', spans, '_')).to.equal('_d_g');
  });
});
