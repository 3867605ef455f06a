import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { SimpleReader } from '../../../../core/config/read/simple-yaml.ts';
import { parseSource } from '../../../../core/config/read/source.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const files = globSync('**/*.yaml', { cwd: root, exclude: (name) => /^(?:node_modules|dist|templates)$/.test(name) });
const readFile = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const readSimple = (text: string): unknown => new SimpleReader(text, (written) => written).read();

/** Undefined if the text is left to the library. Otherwise the library has no problem with it, and the same data. */
const compare = (text: string): unknown => {
  const data = readSimple(text);
  if (data === undefined) return undefined;
  const { problems, document } = parseSource('gateway.yaml', text);
  expect(problems, text).to.deep.equal([]);
  const expected: unknown = document.toJS();
  expect(data, text).to.deep.equal(expected);
  // With the order of members.
  expect(JSON.stringify(data), text).to.equal(JSON.stringify(expected));
  return data;
};

/** What begins or ends something in YAML, or is easily taken for it. */
const pieces = [
  [
    'a',
    'b',
    'key',
    'a b',
    'a:b',
    'é',
    '\u{1f4a5}',
    '__proto__',
    'constructor',
    'toString',
    '<<',
    '${A}',
    'http://a/b?c=d',
  ],
  ['true', 'False', 'NULL', '~', '0', '-1', '+1', '1.50', '-0', '007', '.5', '5.', '1e3', '0x1f', '0o17', '1_000'],
  ['9007199254740993', '123456789012345678901', '.inf', '.NaN', '2026-01-02', '1:30', '12h', '-a', '--', '---', '...'],
  [
    ':',
    ': ',
    ' : ',
    '-',
    '- ',
    ' - ',
    '?',
    '? ',
    ',',
    ', ',
    '{',
    '}',
    '[',
    ']',
    '{ ',
    ' }',
    '{}',
    '[]',
    '"',
    "'",
    '""',
    "''",
  ],
  [
    '#',
    ' #',
    '# c',
    ' # c',
    '&',
    '&a ',
    '*',
    '*a',
    '!',
    '!!str ',
    '|',
    '>',
    '|-',
    '%',
    '@',
    '`',
    '\\',
    '\\n',
    '\\"',
    '=',
    '^',
  ],
  [
    ' ',
    '  ',
    '    ',
    '\n',
    '\n\n',
    '\n ',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    '\na: ',
    '\n  a: ',
    '\n  b:\n',
    '\n    c: 1\n',
  ],
  [
    '\t',
    '\r\n',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\u3000',
    '\ufeff',
    '\0',
    '"a": ',
    "'b': ",
    '"a b"',
    "'it''s'",
    'a: ',
    'b:',
  ],
].flat();
const piece = fc.constantFrom(...pieces);

interface Damage {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.constantFrom(0, 0, 0, 1, 1, 2, 5, 30),
  inserted: fc.oneof(piece, fc.constant('')),
});
const damageText = (text: string, { at, removed, inserted }: Damage): string => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + inserted + text.slice(from + removed);
};

/** Files in pieces that are files as well, so that a damaged one is parsed quickly. */
const sections = files.flatMap((file) =>
  readFile(file)
    .split(/^(?=[^\s#])/m)
    .map((section) => section.split('\n').slice(0, 40).join('\n')),
);

describe('simple YAML', () => {
  it('has the same data as with the library in every file of the repository that is read without it', () => {
    const read = files.filter((file) => compare(readFile(file)) !== undefined);
    expect(read).to.include.members(['gateway.yaml', 'deploy/container/gateway.yaml', 'providers/mistral/prices.yaml']);
  });

  it('has the same data as with the library in parts of files that were damaged', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sections),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (section, damages) => {
          compare(damages.reduce(damageText, section));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('has the same data as with the library in random texts', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
        compare(`a: ${parts.join('')}`);
        compare(`- ${parts.join('')}`);
        compare(parts.join(''));
      }),
      { numRuns: 5_000 },
    );
  });

  for (const [what, text, data] of [
    ['values in lines of their own', 'a:\n  b: 1\n  c:\n    d: x y\n', { a: { b: 1, c: { d: 'x y' } } }],
    ['lists', 'a:\n  - b\n  - c: 1\n    d: 2\n  - - 1\n    - 2\n', { a: ['b', { c: 1, d: 2 }, [1, 2]] }],
    ['a list in the column of its key', 'a:\n- b\n- c\nd: 1\n', { a: ['b', 'c'], d: 1 }],
    ['brackets', 'a: { b: [1, x, "y"], c: {}, d: [] }\n', { a: { b: [1, 'x', 'y'], c: {}, d: [] } }],
    [
      'brackets in several lines',
      'a: [\n    b, # c\n    { d: 1,\n      # e\n\n      f: 2 }\n  ]\ng: 1\n',
      { a: ['b', { d: 1, f: 2 }], g: 1 },
    ],
    ['quotes', `a: "b\\n\\"c"\nd: 'it''s'\n"e f": 1\n`, { a: 'b\n"c', d: "it's", 'e f': 1 }],
    ['comments', '# c\na: b # c\n\n  # c\nd: # c\n  e: 1\n# c', { a: 'b', d: { e: 1 } }],
    ['names of models', 'openai/*: 1\nollama/llama3:8b: 2\n', { 'openai/*': 1, 'ollama/llama3:8b': 2 }],
    [
      'words and numbers',
      'a: true\nb: null\nc:\nd: -1.5\ne: 1.0\nf: 10m\n',
      { a: true, b: null, c: null, d: -1.5, e: 1, f: '10m' },
    ],
  ] as const)
    it(`reads ${what}`, () => expect(compare(text)).to.deep.equal(data));

  for (const [what, text] of [
    ['an alias', 'a: &x 1\nb: *x\n'],
    ['a text of several lines', 'a: |\n  b\n'],
    ['a value that goes on in the next line', 'a: b\n  c\n'],
    ['a text in brackets that goes on in the next line', 'a: [b\n  c]\n'],
    ['brackets in lines that are not indented', 'a:\n  b: [\n  c]\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a second document', 'a: 1\n---\nb: 1\n'],
    ['a key that is defined twice', 'a: 1\na: 2\n'],
    ['a key that is defined twice in brackets', 'a: { b: 1, b: 2 }\n'],
    ['a tab', 'a:\n\tb: 1\n'],
    ['an indentation that fits no line', 'a:\n    b: 1\n  c: 2\n'],
    ['a second key in a line', 'a: b: c\n'],
    ['a quote that is not closed', 'a: "b\n'],
    ['a number in another notation', 'a: 0x10\n'],
    ['a number that is rounded', 'a: 9007199254740993\n'],
    ['a key that objects have', '__proto__: 1\n'],
    ['no setting', '# nothing\n'],
    ['many levels', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`],
  ] as const)
    it(`leaves ${what} to the library`, () => expect(readSimple(text)).to.equal(undefined));
});
