import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { formatProblem, type Problem } from '../../../core/config/problem.ts';
import { builtIns } from './fixture-built-ins.ts';

describe('an unusual configuration file', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
    mkdirSync(join(folder, 'folder'));
    symlinkSync('loop', join(folder, 'loop'));
    writeFileSync(join(folder, 'binary'), Buffer.from([0x61, 0xff, 0xfe, 0x80]));
  });
  after(() => rmSync(folder, { recursive: true }));
  const find = async (
    text: string | Buffer,
    env: Readonly<Record<string, string>> = {},
  ): Promise<readonly Problem[]> => {
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, text);
    return (await findProblems({ file, audit: false, builtIns, env })).problems;
  };

  for (const [what, text, ...expected] of [
    [
      'has an alias inside its own anchor',
      'server: &a\n  x: *a\n',
      '2:6 invalid-yaml *a is inside its own anchor &a, so it would contain itself.',
    ],
    [
      'has an alias without an anchor',
      'server: *a\n',
      '1:9 invalid-yaml *a refers to no anchor: there is no &a above it. A value or key that begins with * must be in quotes.',
    ],
    [
      'has merge keys',
      'stream: &a {}\nserver: { <<: *a }\n',
      '2:11 unknown-key Merge keys (<<) are not supported. ' +
        'Write out the settings of server, or reuse a whole section with *name.',
    ],
    [
      'declares an older version of YAML',
      '# of old\n%YAML 1.1\n---\nstream: &a {}\nserver: { <<: *a }\n',
      '2:1 invalid-yaml Only YAML 1.2 is supported. Remove this line.',
    ],
    [
      'holds two documents',
      'server: {}\n---\nadmin: {}\n',
      '2:1 invalid-yaml A second YAML document begins here (---). A file can have only one.',
    ],
    ['is indented with tabs', 'server:\n\tport: 1\n', '2:1 invalid-yaml This line is indented with a tab. Use spaces.'],
    ['has sections as keys', '{ a: 1 }: 2\n', '1:1 invalid-yaml A key must be text.'],
    [
      'begins with a byte order mark',
      '\uFEFFserver: { prot: 1 }\n',
      '1:11 unknown-key "prot" is not a setting of server. Did you mean "port"?',
    ],
    [
      'has Windows line endings',
      'server:\r\n  prot: 1\r\n',
      '2:3 unknown-key "prot" is not a setting of server. Did you mean "port"?',
    ],
    [
      'nests variables',
      'server: { host: "${A:-${B}}" }\n',
      '1:18 invalid-interpolation A "${" cannot be inside another: a default is plain text. ' +
        'To write the characters "${" themselves, use "$${".',
    ],
    [
      'names a secret file that is not text',
      'admin: { token: "${file:binary}" }\n',
      '1:18 unreadable-file The file "binary" cannot be read: it is not valid UTF-8 text.',
    ],
    [
      'names a folder as a secret file',
      'admin: { token: "${file:folder}" }\n',
      '1:18 unreadable-file The file "folder" cannot be read: it is a folder (EISDIR).',
    ],
    [
      'names a secret file by an invalid path',
      'admin: { token: "${file:a\\0b}" }\n',
      '1:17 unreadable-file The file "a\\u0000b" cannot be read: this is not a valid file name.',
    ],
  ] as const)
    it(`a file that ${what} is refused with line and column`, async () => {
      const problems = await find(text);
      expect(problems.map(({ line, column, rule, message }) => `${line}:${column} ${rule} ${message}`)).to.deep.equal(
        expected,
      );
    });

  for (const [what, name, message] of [
    ['a symbolic link to itself', 'loop', 'its symbolic links form a loop (ELOOP)'],
    ['a file that is not text', 'binary', 'it is not valid UTF-8 text'],
  ] as const)
    it(`including ${what} is reported at the include`, async () => {
      const [problem, ...more] = await find(`include: [${name}]\n`);
      expect(more).to.deep.equal([]);
      expect(problem).to.include({
        line: 1,
        column: 11,
        rule: 'unreadable-file',
        message: `The file "${join(folder, name)}" cannot be read: ${message}.`,
      });
    });

  it('a configuration file that is not text is refused as unreadable', async () => {
    const refusal = await find(Buffer.from([0x61, 0x3a, 0xff])).catch((error: unknown) => error);
    expect(refusal).to.include({
      code: 'KOINE_CONFIG_UNREADABLE',
      message: `${join(folder, 'gateway.yaml')} cannot be read: it is not valid UTF-8 text.`,
    });
  });

  it('a file that is nested too deeply is reported once', async () => {
    for (const text of [
      '['.repeat(50_000),
      `models: ${'{ a: '.repeat(600)}1${' }'.repeat(600)}`,
      Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    ]) {
      const [problem, ...more] = await find(text);
      expect(more).to.deep.equal([]);
      expect(problem).to.include({ rule: 'invalid-yaml', message: 'The file is nested too deeply.' });
    }
  });

  for (const [what, line, caret] of [
    ['double-width characters', 'server: { host: "日本", prot: 1 }', 'server: { host: "日本", '.length + 2],
    ['characters of several code points', 'server: { host: "e\u0301👩‍👩‍👧", prot: 1 }', 'server: { host: "e__", '.length],
    ['control characters', 'server: { host: "\u001b[31m", prot: 1 }', 'server: { host: "_[31m", '.length],
  ] as const)
    it(`the caret of a frame is in the right column after ${what}`, async () => {
      const [problem] = await find(`${line}\n`);
      expect(problem?.frame.split('\n')).to.deep.equal([
        `> 1 | ${line.replace('\u001b', '\ufffd')}`,
        `    | ${' '.repeat(caret)}^`,
      ]);
    });

  it('the frame of a long line shows the part around the column', async () => {
    const [problem] = await find(`server: { host: "${'x'.repeat(400)}", prot: 1 }\n`);
    const [shown = '', pointer = ''] = problem?.frame.split('\n') ?? [];
    expect(shown).to.have.length.below(160);
    expect(shown.slice(pointer.indexOf('^'))).to.equal('prot: 1 }');
  });

  it('frames mask secrets that occur a second time: in comments, through anchors and from variables', async () => {
    const text = [
      'x: &shared very-secret-1 # very-secret-1',
      'admin:',
      '  token: very-secret-2 # not very-secret-2 of before',
      '  prot: 1 # very-secret-3',
      'providers: { one: { use: vendor, config: { apiKey: *shared, apiKeys: ["${KEY}", "${NONE}"], more: 1 } } } # very-secret-3',
    ].join('\n');
    const shown = (await find(text, { KEY: 'very-secret-3' })).map(formatProblem).join('\n');
    expect(shown)
      .to.include('variable NONE is not set')
      .and.include('"prot" is not a setting')
      .and.include('"x" is not a setting');
    expect(shown).not.to.match(/very-secret-\d/);
  });
});
