import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { toLines, type Lines } from './changes.ts';
import { checkChangelog, readFirstSection, readReleased, writeReleased } from './changelog.ts';
import { root } from './declarations.ts';
import { readSurface, readSurfaceOf } from './surface.ts';

const FILES = {
  'main.ts': `
    export * from './shapes.ts';
    /** Adds. */
    export function add(a: number, b: number): number { return a + b; }
    export const subtract = (a: number, b: number): number => a - b;`,
  'shapes.ts': `
    interface Point { readonly x: number }
    export interface Circle { readonly center: Point; /** In metres. */ readonly radius: number }
    export type Kind = 'round' | 'square';
    export class Square { readonly side = 1; readonly #secret = 2; scale(by: number): void { by + this.#secret; } }`,
};

/** The surface of a package with one entry, after replacements of text in its sources. */
function surfaceOf(...replacements: readonly (readonly [string, string])[]): Lines {
  const folder = createTemporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    const changed = replacements.reduce((source, [from, to]) => source.replace(from, to), text);
    writeFileSync(join(folder.path, path), changed);
  }
  const lines = toLines(readSurfaceOf(folder.path, { shapes: 'main.ts' }));
  folder.remove();
  return lines;
}

const changelog = (title: string, ...entries: readonly string[]): string =>
  `# Changelog\n\n## ${title}\n\n### Added\n\n${entries.map((entry) => `- ${entry}\n`).join('')}\n## 1.0.0, 2026-01-01\n\n- \`add\`\n`;
const UNRELEASED = '2.0.0, not released yet';

describe('the public API and CHANGELOG.md', function () {
  this.timeout(180_000);
  let released: Lines;
  const check = (text: string, is: Lines): string =>
    checkChangelog(readFirstSection(text), { version: '1.0.0', lines: released }, is) ?? '';
  /** The changes that the message lists. */
  const listed = (text: string, is: Lines): readonly string[] =>
    [...check(text, is).matchAll(/^(?:added|removed|changed) .*$/gm)].map(([line]) => line.replaceAll(/ +/g, ' '));

  before(() => {
    released = surfaceOf();
  });

  it('CHANGELOG.md names each change of the public API since the last release', () => {
    const section = readFirstSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
    const kept = readReleased(readFileSync(join(root, 'test/api/released.txt'), 'utf8'));
    const missing = checkChangelog(section, kept, toLines(readSurface()));
    if (missing !== undefined) expect.fail(missing);
  });

  it('a surface that is written and read has no changes', () => {
    const read = readReleased(writeReleased({ version: '1.0.0', lines: released }));
    expect(read).to.deep.equal({ version: '1.0.0', lines: released });
    expect([...released.keys()]).to.include.members(['shapes: add', 'shapes: Circle.radius', 'not exported: Point.x']);
    expect(check(changelog(UNRELEASED), released)).to.equal('');
  });

  it('comments, bodies and private members are no part of the public API', () => {
    const is = surfaceOf(['/** Adds. */', ''], ['return a + b', 'return b + a'], ['#secret = 2', '#secret = 3']);
    expect(listed(changelog(UNRELEASED), is)).to.deep.equal([]);
  });

  it('an added type needs no entry, but what uses it does', () => {
    const added = ['export class', "export type Color = 'red'; export class"] as const;
    expect(listed(changelog(UNRELEASED), surfaceOf(added))).to.deep.equal([]);
    const used = surfaceOf(added, ['readonly side', 'readonly color?: Color; readonly side']);
    expect(listed(changelog(UNRELEASED), used)).to.deep.equal(['added shapes: Square.color']);
  });

  const changes: readonly (readonly [string, readonly [string, string], string, readonly string[]])[] = [
    ['an added export', ['export const', 'export const one = 1; export const'], 'added shapes: one', ['one']],
    [
      'an index',
      ['readonly x', 'readonly [name: string]: number; readonly x'],
      'added not exported: Point.[name: string]',
      ['Point', 'name', 'string'],
    ],
    ['a removed export', ['export const', 'const'], 'removed shapes: subtract', ['subtract']],
    ['a changed parameter', ['a: number, b', 'a: string, b'], 'changed shapes: add', ['add']],
    ['a changed union', ["'square'", "'oval'"], 'changed shapes: Kind', ['Kind']],
    [
      'an added member',
      ['readonly radius', 'readonly color?: string; readonly radius'],
      'added shapes: Circle.color',
      ['Circle', 'color'],
    ],
    ['a removed member', ['readonly side = 1;', ''], 'removed shapes: Square.side', ['Square', 'side']],
    ['a member that became optional', ['radius:', 'radius?:'], 'changed shapes: Circle.radius', ['Circle', 'radius']],
    ['a changed parameter of a method', ['by: n', 'by?: n'], 'changed shapes: Square.scale', ['Square', 'scale']],
    ['a type that is not exported', ['x: number', 'x: bigint'], 'changed not exported: Point.x', ['Point', 'x']],
  ];
  for (const [title, replacement, expected, names] of changes)
    it(`${title} must be named by one entry of the changelog`, () => {
      const is = surfaceOf(replacement);
      expect(listed(changelog(UNRELEASED), is)).to.deep.equal([expected]);
      expect(listed(changelog(UNRELEASED, names.join(' and ')), is)).to.deep.equal([expected]);
      const inCode = names.map((name) => `\`${name}\``);
      expect(listed(changelog(UNRELEASED, `About\n  ${inCode.join(' and ')}.`), is)).to.deep.equal([]);
      expect(listed(changelog(UNRELEASED, `\`${names.join('.')}\` is new.`), is)).to.deep.equal([]);
      if (names.length > 1) expect(listed(changelog(UNRELEASED, ...inCode), is)).to.deep.equal([expected]);
    });

  it('the message shows both declarations, and says what to write where', () => {
    const message = check(changelog(UNRELEASED), surfaceOf(['radius:', 'radius?:']));
    expect(message).to.include('was   readonly radius: number;\n   is    readonly radius?: number;');
    expect(message).to.include("Add a list entry to the section '2.0.0, not released yet'");
  });

  it('a section that is released accepts no change, whatever it names', () => {
    const text = changelog('1.0.0, 2026-01-01', '`subtract` has left.');
    const message = check(text, surfaceOf(['export const', 'const']));
    expect(message).to.include('removed  shapes: subtract');
    expect(message).to.include("Add a section '## <next version>, not released yet'");
    expect(check(text, released)).to.equal('');
  });

  it('a new release asks for its surface to be kept', () => {
    expect(check(changelog('2.0.0, 2026-02-01'), released)).to.include('run `npm run docs:api`');
  });
});
