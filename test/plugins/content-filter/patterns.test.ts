import { expect } from 'chai';
import { array, assert, constantFrom, integer, oneof, property, string, tuple, type Arbitrary } from 'fast-check';
import { compilePattern } from '../../../plugins/content-filter/patterns/search.ts';
import { finish } from '../../../plugins/content-filter/steps.ts';
import type { Span } from '../../../core/api/internal.ts';

const find = (pattern: string, text: string): readonly Span[] => finish(compilePattern(pattern).search(text));
const findAll = (pattern: string, text: string): readonly string[] =>
  find(pattern, text).map(({ start, end }) => text.slice(start, end));

const refusal = (pattern: string): string => {
  try {
    compilePattern(pattern);
    return 'accepted';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
};

/** Every character that any match covers, from each start to each end, as JavaScript matches. */
const coverByEngine = (pattern: string, flags: string, text: string): string => {
  const covered = Array.from({ length: text.length }, () => false);
  for (let start = 0; start < text.length; start += 1) {
    for (let end = start + 1; end <= text.length; end += 1) {
      const whole = new RegExp(`(?<=^[^]{${start}})(?:${pattern})(?=[^]{${text.length - end}}$)`, flags);
      if (whole.test(text)) covered.fill(true, start, end);
    }
  }
  return covered.map((is) => (is ? '#' : '.')).join('');
};
const coverByPattern = (pattern: string, text: string): string => {
  const covered = Array.from({ length: text.length }, () => '.');
  for (const { start, end } of find(pattern, text)) covered.fill('#', start, end);
  return covered.join('');
};

const atom = constantFrom(
  'a',
  'b',
  'A',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\W',
  '\\b',
  '\\B',
  '1',
  ' ',
  '[0-9_]',
);
const bound = constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}');
const repeated: Arbitrary<string> = tuple(atom, bound).map(([one, many]) => (/^\\[bB]$/.test(one) ? one : one + many));
const grouped: Arbitrary<string> = tuple(array(repeated, { minLength: 1, maxLength: 3 }), bound, repeated).map(
  ([parts, many, other]) => `(${parts.join('')}|${other})${many}`,
);
const anyPattern = array(oneof(repeated, grouped), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const anyText = string({ unit: constantFrom('a', 'b', 'A', 'B', '1', ' ', '\n', 'é'), maxLength: 9 });

describe('the patterns of the content filter', () => {
  it('patterns cover the same characters as the regular expressions of JavaScript', () => {
    assert(
      property(anyPattern, constantFrom('', 'i'), anyText, (pattern, flags, text) => {
        if (new RegExp(`^(?:${pattern})$`, flags).test('') || refusal(pattern).includes('empty text')) return;
        const own = flags === 'i' ? `(?i)${pattern}` : pattern;
        expect(coverByPattern(own, text)).to.equal(coverByEngine(pattern, flags, text));
      }),
      { numRuns: 300 },
    );
  });

  it('patterns of many positions cover the same characters, also where a text is read in several blocks', () => {
    // A "#" is in none of the sets, and for \\b it is as the start and the end of a text.
    const atoms = constantFrom('a', 'b', '[ab]', '\\d', '\\s', '1', ' ', '[0-9_]', '\\b', '\\B');
    const bounds = constantFrom('', '*', '{0,40}', '{1,70}', '{2,33}');
    const parts = tuple(atoms, bounds).map(([one, many]) => (/^\\[bB]$/.test(one) ? one : one + many));
    const group = tuple(array(parts, { minLength: 1, maxLength: 3 }), parts, bounds).map(
      ([some, other, many]) => `(${some.join('')}|${other})${many.replace(/\d\d/, '3')}`,
    );
    const pattern = array(oneof(parts, group), { minLength: 1, maxLength: 3 }).map((some) => some.join(''));
    const inside = string({ unit: constantFrom('a', 'b', '1', ' '), maxLength: 8 });
    assert(
      property(pattern, inside, (source, text) => {
        if (/empty text|too long|too many/.test(refusal(source))) return;
        const around = ['#'.repeat(1_020), '#'.repeat(2_000)];
        const expected = coverByEngine(source, '', text);
        expect(coverByPattern(source, around.join(text))).to.equal(
          around.map((filler) => filler.replaceAll('#', '.')).join(expected),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('a gap of counted characters covers from each start to each end at its distance', () => {
    const text = string({ unit: constantFrom('x', 'y', '-', '-'), minLength: 50, maxLength: 150 });
    const counts = tuple(integer({ min: 0, max: 60 }), integer({ min: 0, max: 60 }));
    assert(
      property(text, counts, (given, [min, more]) => {
        const covered = Array.from({ length: given.length }, () => '.');
        for (let start = 0; start < given.length; start += 1)
          for (let gap = min; gap <= min + more; gap += 1)
            if (given[start] === 'x' && given[start + gap + 1] === 'y') covered.fill('#', start, start + gap + 2);
        expect(coverByPattern(`x.{${min},${min + more}}y`, given)).to.equal(covered.join(''));
      }),
      { numRuns: 200 },
    );
  });

  it('what a character costs depends on the pattern alone, and a pattern that costs too much is refused', () => {
    const price = (pattern: string): number => compilePattern(pattern).price;
    expect(price('kiosk')).to.equal(3);
    expect(price('(?i)project.{1,100}secret')).to.be.below(7);
    expect(price('(?:\\w{1,20}\\s{1,5}){1,20}x')).to.be.within(40, 100);
    expect(refusal('(?:a?){900}b')).to.include('too many optional parts');
    const steps = (text: string): number => {
      let taken = 0;
      const search = compilePattern('(?i)project.{1,100}secret').search(text);
      for (let next = search.next(); next.done !== true; next = search.next()) taken += next.value;
      return taken;
    };
    expect(steps('project  '.repeat(10_000))).to.equal(steps('all well '.repeat(10_000)));
  });

  it('finds what a pattern means', () => {
    expect(findAll('(?i)project\\s{1,3}x', 'About Project  X, and project x.')).to.deep.equal([
      'Project  X',
      'project x',
    ]);
    expect(findAll('\\bcat\\b', 'cat concat cat, cats')).to.deep.equal(['cat', 'cat']);
    expect(findAll('a|abc', 'xabcx ab')).to.deep.equal(['abc', 'a']);
    expect(findAll('(?:😀|\\u00e9){2}', 'x 😀é 😀')).to.deep.equal(['😀é']);
    expect(findAll('[\\x41-C\\]]+', 'xABC]x')).to.deep.equal(['ABC]']);
  });

  it('says what is wrong with a pattern, and where', () => {
    expect(refusal('a*')).to.include('matches the empty text');
    expect(refusal('x(?=a)')).to.include('character 4').and.to.include('(?:…)');
    expect(refusal('(a)\\1')).to.include('more than linear time');
    expect(refusal('^a')).to.include('character 1').and.to.include('\\b');
    expect(refusal('(a')).to.include('a ) is missing');
    expect(refusal('a)')).to.include('a ) without a (');
    expect(refusal('[z-a]')).to.include('a range goes from');
    expect(refusal('a{2,1}')).to.include('a repetition goes from');
    expect(refusal('(a{1000}){1000}')).to.include('too long');
  });

  it('knows the longest match, by which streams are held back', () => {
    expect(compilePattern('ab{2,5}(c|def)?').maxLength).to.equal(9);
    expect(compilePattern('ab*').maxLength).to.equal(Number.POSITIVE_INFINITY);
  });

  it('expressions that take exponential time elsewhere read a text of a million characters', () => {
    const text = `${'a'.repeat(1_000_000)}!`;
    for (const pattern of ['(a+)+b', '(a|a)*b', '(a|aa)+b', '.*.*.*.*=', 'a{1,100}b'])
      expect(find(pattern, text), pattern).to.deep.equal([]);
    expect(find('(a+)+!', text)).to.deep.equal([{ start: 0, end: text.length }]);
  });

  it('texts with many different characters do not fill the memory of a pattern', () => {
    const text = Array.from({ length: 60_000 }, (_, code) => String.fromCharCode(code + 200)).join('');
    const { search } = compilePattern('(.|..)*(é|ü).{3}x');
    for (let round = 0; round < 3; round += 1) expect(finish(search(text))).to.deep.equal([]);
  });
});
