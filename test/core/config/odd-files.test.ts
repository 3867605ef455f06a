import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { formatProblem, type Problem } from '../../../core/config/problem.ts';
import { builtIns } from './fixture-built-ins.ts';

describe('an odd file', () => {
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
      'repeats itself',
      'server: &a\n  x: *a\n',
      '2:6 invalid-yaml *a stands within &a: it would repeat itself for ever.',
    ],
    ['repeats what is not there', 'server: *a\n', '1:9 invalid-yaml *a repeats nothing: no &a stands above it.'],
    [
      'has merge keys',
      'stream: &a {}\nserver: { <<: *a }\n',
      '2:11 unknown-key Merge keys (<<) are not followed: write the settings of server out, or repeat a whole section (*name).',
    ],
    [
      'wants an older YAML',
      '# of old\n%YAML 1.1\n---\nstream: &a {}\nserver: { <<: *a }\n',
      '2:1 invalid-yaml The file is read as YAML 1.2, and no other: remove this line.',
    ],
    [
      'holds two documents',
      'server: {}\n---\nadmin: {}\n',
      '2:1 invalid-yaml A second document begins here (---): one file is one document.',
    ],
    ['is indented by tabs', 'server:\n\tport: 1\n', '2:1 invalid-yaml Tabs are not allowed as indentation.'],
    ['has sections as keys', '{ a: 1 }: 2\n', '1:1 invalid-yaml A key must be text.'],
    [
      'begins with a byte order mark',
      '\uFEFFserver: { prot: 1 }\n',
      '1:11 unknown-key "prot" is not a setting of server. Did you mean "port"?',
    ],
    [
      'has the line ends of Windows',
      'server:\r\n  prot: 1\r\n',
      '2:3 unknown-key "prot" is not a setting of server. Did you mean "port"?',
    ],
    [
      'nests variables',
      'server: { host: "${A:-${B}}" }\n',
      '1:18 invalid-interpolation A "${" stands within another: a default is plain text. For the characters themselves write $${.',
    ],
    [
      'asks for a secret that is no text',
      'admin: { token: "${file:binary}" }\n',
      '1:18 unreadable-file The file "binary" cannot be read: it is not text in UTF-8.',
    ],
    [
      'asks for a folder',
      'admin: { token: "${file:folder}" }\n',
      '1:18 unreadable-file The file "folder" cannot be read: it is a folder (EISDIR).',
    ],
    [
      'asks for what no path can be',
      'admin: { token: "${file:a\\0b}" }\n',
      '1:17 unreadable-file The file "a\\u0000b" cannot be read: no file can have this name.',
    ],
  ] as const)
    it(`is refused with its place where it ${what}`, async () => {
      const problems = await find(text);
      expect(problems.map(({ line, column, rule, message }) => `${line}:${column} ${rule} ${message}`)).to.deep.equal(
        expected,
      );
    });

  for (const [what, name, message] of [
    ['a link that leads to itself', 'loop', 'its links lead round in a circle (ELOOP)'],
    ['what is no text', 'binary', 'it is not text in UTF-8'],
  ] as const)
    it(`is told where it includes ${what}`, async () => {
      const [problem, ...more] = await find(`include: [${name}]\n`);
      expect(more).to.deep.equal([]);
      expect(problem).to.include({
        line: 1,
        column: 11,
        rule: 'unreadable-file',
        message: `The file "${join(folder, name)}" cannot be read: ${message}.`,
      });
    });

  it('is refused as a whole where it is no text', async () => {
    const refusal = await find(Buffer.from([0x61, 0x3a, 0xff])).catch((error: unknown) => error);
    expect(refusal).to.include({
      code: 'KOINE_CONFIG_UNREADABLE',
      message: `${join(folder, 'gateway.yaml')} cannot be read: it is not text in UTF-8.`,
    });
  });

  it('is told of once where it is nested without end', async () => {
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
    ['letters of double width', 'server: { host: "日本", prot: 1 }', 'server: { host: "日本", '.length + 2],
    ['letters made of several', 'server: { host: "e\u0301👩‍👩‍👧", prot: 1 }', 'server: { host: "e__", '.length],
    ['what a terminal would obey', 'server: { host: "\u001b[31m", prot: 1 }', 'server: { host: "_[31m", '.length],
  ] as const)
    it(`is shown with the caret in its place behind ${what}`, async () => {
      const [problem] = await find(`${line}\n`);
      expect(problem?.frame.split('\n')).to.deep.equal([
        `> 1 | ${line.replace('\u001b', '\ufffd')}`,
        `    | ${' '.repeat(caret)}^`,
      ]);
    });

  it('is shown around the column where a line is long', async () => {
    const [problem] = await find(`server: { host: "${'x'.repeat(400)}", prot: 1 }\n`);
    const [shown = '', pointer = ''] = problem?.frame.split('\n') ?? [];
    expect(shown).to.have.length.below(160);
    expect(shown.slice(pointer.indexOf('^'))).to.equal('prot: 1 }');
  });

  it('keeps its secrets where they stand a second time: in comments, through anchors, and from variables', async () => {
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
