import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { findContent, hashContent } from '../../../core/extensions/integrity.ts';
import { resolveExtension } from '../../../core/extensions/resolve.ts';
import { runHere } from '../cli/run-here.ts';
import { builtIns } from '../config/fixture-built-ins.ts';

const plugin = (name: string, lines: readonly string[] = []): string =>
  [
    ...lines,
    `export default { kind: 'plugin', apiVersion: 1, name: '${name}', schema: { type: 'object' }, create: () => ({}) };`,
  ].join('\n');

describe('the integrity of an extension', () => {
  let folder = '';
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const contentOf = (use: string) => {
    const resolved = resolveExtension('plugin', use, at('gateway.yaml'), builtIns);
    return findContent(use, 'file' in resolved ? resolved.file : '', at('gateway.yaml'));
  };
  const hashOf = (use: string): string => hashContent(contentOf(use));
  /** The rules and positions of the problems of a configuration with this plugin. */
  const check = async (settings: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    write('gateway.yaml', JSON.stringify({ plugins: [settings] }));
    const { problems } = await findProblems({ file: at('gateway.yaml'), audit: false, builtIns, env: {} });
    return problems.map(({ rule, line, column, message }) => `${line}:${column} ${rule} ${message}`);
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
    write('gateway.yaml', '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the hash covers the entry file and the files that it reaches by relative paths, and no others', () => {
    write(
      'mine.ts',
      plugin('mine', [
        "import { a } from './lib/a.ts';",
        "import 'undici';",
        "// './lib' and './absent.ts' are no files",
        'export { a };',
      ]),
    );
    write(
      'lib/a.ts',
      "import '../shared.mjs';\nimport '../mine.ts';\nexport const a = await import(`./b.js`);\nexport const url = new URL(\"./data.json\", import.meta.url);",
    );
    write('lib/b.js', "require('./c');");
    write('lib/c.js', '');
    write('lib/data.json', '{}');
    write('shared.mjs', 'export const settings = "./gateway.yaml";');
    write('other.ts', '');
    expect(contentOf('./mine.ts')).to.deep.equal({
      folder,
      files: ['lib/a.ts', 'lib/b.js', 'lib/c.js', 'lib/data.json', 'mine.ts', 'shared.mjs'],
    });
  });

  it('the hash covers every file of a package, without its dependencies', () => {
    write(
      'node_modules/@acme/guard/package.json',
      JSON.stringify({ name: '@acme/guard', type: 'module', exports: { import: './dist/index.js' } }),
    );
    write('node_modules/@acme/guard/dist/index.js', plugin('guarding'));
    write('node_modules/@acme/guard/dist/package.json', '{"type":"module"}');
    write('node_modules/@acme/guard/words.txt', '');
    write('node_modules/@acme/guard/node_modules/dependency/index.js', '');
    const before = hashOf('@acme/guard');
    expect(contentOf('@acme/guard').files).to.deep.equal([
      'dist/index.js',
      'dist/package.json',
      'package.json',
      'words.txt',
    ]);
    write('node_modules/@acme/guard/node_modules/dependency/index.js', 'changed');
    expect(hashOf('@acme/guard')).to.equal(before);
    write('node_modules/@acme/guard/words.txt', 'changed');
    expect(hashOf('@acme/guard')).to.not.equal(before);
  });

  it('the hash equals that of the sha256sum output', () => {
    write('mine.ts', plugin('mine', ["import './a.ts';"]));
    write('a.ts', '');
    const list = execFileSync('sha256sum', ['a.ts', 'mine.ts'], { cwd: folder });
    expect(hashOf('./mine.ts')).to.equal(`sha256-${createHash('sha256').update(list).digest('base64')}`);
  });

  it('the hash follows links, and does not change when they are swapped for the same content', () => {
    for (const version of ['..1', '..2']) {
      write(`plugin/${version}/index.ts`, plugin('mounted', ["import './a.ts';"]));
      write(`plugin/${version}/a.ts`, '');
    }
    symlinkSync('..1', at('plugin/..data'));
    symlinkSync('..data/index.ts', at('plugin/index.ts'));
    symlinkSync('..data/a.ts', at('plugin/a.ts'));
    const before = hashOf('./plugin/index.ts');
    rmSync(at('plugin/..data'));
    symlinkSync('..2', at('plugin/..data'));
    expect(hashOf('./plugin/index.ts')).to.equal(before);
  });

  it('refuses to hash a package with a link to a folder, but loads it when it is not pinned', async () => {
    write('node_modules/linked/index.js', plugin('linked'));
    write('node_modules/linked/package.json', '{"name":"linked","type":"module"}');
    write('elsewhere/a.js', '');
    symlinkSync(at('elsewhere'), at('node_modules/linked/lib'));
    expect(() => hashOf('linked'))
      .to.throw('is a link to a folder')
      .with.property('code', 'KOINE_EXTENSION_INTEGRITY');
    expect(await check({ use: 'linked' })).to.deep.equal([]);
  });

  it('the hash is checked before any file of the extension runs', async () => {
    write('mine.ts', plugin('mine', ["import './a.ts';"]));
    write('a.ts', '');
    const integrity = hashOf('./mine.ts');
    write('a.ts', "throw new Error('it was run');");
    const [problem = '', ...others] = await check({ use: './mine.ts', integrity });
    expect(others).to.deep.equal([]);
    expect(problem)
      .to.match(/^1:44 KOINE_EXTENSION_INTEGRITY /)
      .and.to.contain(hashOf('./mine.ts'))
      .and.to.contain(integrity);
    write('a.ts', '');
    expect(await check({ use: './mine.ts', integrity })).to.deep.equal([]);
  });

  it('loads new code whose hash is pinned, and refuses it while the old hash is', async () => {
    write('mine.ts', plugin('mine'));
    const integrity = hashOf('./mine.ts');
    expect(await check({ use: './mine.ts', integrity })).to.deep.equal([]);
    write('mine.ts', plugin('renamed'));
    expect((await check({ use: './mine.ts', integrity }))[0]).to.match(/^1:\d+ KOINE_EXTENSION_INTEGRITY /);
    expect(await check({ use: './mine.ts', integrity: hashOf('./mine.ts') })).to.deep.equal([]);
  });

  it('requires a restart when the pinned files of a package differ from those that were imported', async () => {
    write('node_modules/pinned/package.json', '{"name":"pinned","type":"module"}');
    write('node_modules/pinned/index.js', plugin('pinned'));
    expect(await check({ use: 'pinned', integrity: hashOf('pinned') })).to.deep.equal([]);
    write('node_modules/pinned/index.js', plugin('pinned', ['// new']));
    const [problem = ''] = await check({ use: 'pinned', integrity: hashOf('pinned') });
    expect(problem).to.contain('KOINE_EXTENSION_INTEGRITY').and.to.contain('restart the gateway');
  });

  it('koine extensions hash prints the hash without running the extension', async () => {
    write('mine.ts', "import './a.ts';\nthrow new Error('it was run');");
    write('a.ts', '');
    const options = { cwd: folder };
    expect(await runHere(['extensions', 'hash', './mine.ts'], options)).to.deep.equal({
      code: 0,
      out: `${hashOf('./mine.ts')}\n`,
      err: '',
    });
    expect((await runHere(['extensions', 'hash', './mine.ts', '--files'], options)).out).to.equal(
      `${hashOf('./mine.ts')}\n  a.ts\n  mine.ts\n`,
    );
    expect((await runHere(['extensions', 'hash', './absent.ts'], options)).err).to.match(/^KOINE_EXTENSION_NOT_FOUND/);
    for (const words of [['auth'], ['openai'], [], ['--files']])
      expect((await runHere(['extensions', 'hash', ...words], options)).code, words[0]).to.equal(2);
    expect((await runHere(['extensions', 'hash', 'auth'], options)).err).to.contain('is built in');
  });
});
