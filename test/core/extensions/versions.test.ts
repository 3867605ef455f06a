import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { hashOfCode } from '../../../core/extensions/modules/code.ts';
import type { Extension } from '../../../core/extensions/extension.ts';
import { loadExtension } from '../../../core/extensions/load.ts';
import { builtIns } from '../config/fixture-built-ins.ts';

/** A plugin whose description in its schema is the value of the expression. */
const plugin = (expression: string): string =>
  `{ kind: 'plugin', apiVersion: 1, name: 'mine', schema: { type: 'object', description: ${expression} }, ` +
  'create: () => ({}) }';

describe('versions of the code of an extension', () => {
  let folder = '';
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const load = (use: string, known?: Extension<'plugin'>['code']): Promise<Extension<'plugin'>> =>
    loadExtension('plugin', { use }, join(folder, 'gateway.yaml'), builtIns, known);
  const described = ({ definition }: Extension<'plugin'>): unknown => definition.schema['description'];
  const loadDescription = async (use: string, known?: Extension<'plugin'>['code']): Promise<unknown> =>
    described(await load(use, known));
  const failureOf = async (use: string): Promise<string> =>
    load(use).then(
      () => 'none',
      (thrown: unknown) => String(thrown),
    );

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('loads a changed file again, also one that only an imported file imports', async () => {
    write('mine.ts', `import { a } from './lib/a.ts';\nexport default ${plugin('a')};\n`);
    write('lib/a.ts', "import b from './b.json' with { type: 'json' };\nexport const a: string = `one ${b.word}`;\n");
    write('lib/b.json', '{ "word": "one" }');
    expect(await loadDescription('./mine.ts')).to.equal('one one');
    write('lib/b.json', '{ "word": "two" }');
    expect(await loadDescription('./mine.ts')).to.equal('one two');
    write('lib/a.ts', "export const a: string = 'three';\n");
    expect(await loadDescription('./mine.ts')).to.equal('three');
  });

  it('loads changed CommonJS modules again, required or imported', async () => {
    write('package.json', '{ "type": "commonjs" }');
    write('mine.js', `const a = require('./a');\nmodule.exports = ${plugin('a.word')};\n`);
    write('a.js', "exports.word = 'one';\n");
    write('other.mjs', `import { word } from './a.js';\nexport default ${plugin('word')};\n`);
    expect([await loadDescription('./mine.js'), await loadDescription('./other.mjs')]).to.deep.equal(['one', 'one']);
    write('a.js', "exports.word = 'two';\n");
    expect([await loadDescription('./other.mjs'), await loadDescription('./mine.js')]).to.deep.equal(['two', 'two']);
  });

  it('keeps an unchanged extension, and the unchanged files of a changed one', async () => {
    write('mine.ts', `import { at } from './at.ts';\nexport default ${plugin('`one ${at}`')};\n`);
    write('at.ts', 'export const at: string = String(process.hrtime.bigint());\n');
    const first = await load('./mine.ts');
    expect((await load('./mine.ts')).definition).to.equal(first.definition);
    write('mine.ts', `import { at } from './at.ts';\nexport default ${plugin('`two ${at}`')};\n`);
    const second = await load('./mine.ts');
    expect(described(second)).to.equal(String(described(first)).replace('one', 'two'));
    expect([first.versions, second.versions]).to.deep.equal([1, 2]);
    expect(hashOfCode(second.code)).to.not.equal(hashOfCode(first.code));
  });

  it('does not load a changed extension that imports a deleted file', async () => {
    for (const [name, text] of [
      ['one.mjs', `import { a } from './a.cjs';\nexport default ${plugin('a')};\n`],
      ['two.cjs', `const { a } = require('./a.cjs');\nmodule.exports = ${plugin('a')};\n`],
    ] as const) {
      write('a.cjs', "exports.a = 'there';\n");
      write(name, text);
      expect(await loadDescription(`./${name}`)).to.equal('there');
      rmSync(join(folder, 'a.cjs'));
      expect(await failureOf(`./${name}`)).to.match(/Cannot find module|no such file/);
    }
  });

  it('uses the code that is still in memory when a change is undone', async () => {
    write('mine.ts', `export default ${plugin("'one'")};\n`);
    const { definition } = await load('./mine.ts');
    write('mine.ts', `export default ${plugin("'two'")};\n`);
    await load('./mine.ts');
    write('mine.ts', `export default ${plugin("'one'")};\n`);
    expect((await load('./mine.ts')).definition).to.equal(definition);
  });

  it('two extensions share a module of theirs before and after it changes', async () => {
    const shared = (text: string): string => `export const shared = { text: '${text} ' + process.hrtime.bigint() };\n`;
    for (const name of ['one.ts', 'two.ts'])
      write(name, `import { shared } from './shared.ts';\nexport default ${plugin('shared')};\n`);
    write('shared.ts', shared('old'));
    expect(await loadDescription('./one.ts')).to.equal(await loadDescription('./two.ts'));
    write('shared.ts', shared('new'));
    const changed = await loadDescription('./one.ts');
    expect(changed).to.have.property('text').that.matches(/^new /);
    expect(await loadDescription('./two.ts')).to.equal(changed);
  });

  it('old code imports old files, even for the first time after they have changed', async () => {
    write('package.json', '{ "type": "module" }');
    const entry = (word: string): string =>
      `export default ${plugin(`async () => '${word} ' + (await import('./late.js')).word`)};\n`;
    write('mine.js', entry('old'));
    write('late.js', "export const word = 'old';\n");
    const old = await load('./mine.js');
    write('mine.js', entry('new'));
    write('late.js', "export const word = 'new';\n");
    const next = await load('./mine.js');
    expect(await (described(old) as () => Promise<string>)()).to.equal('old old');
    expect(await (described(next) as () => Promise<string>)()).to.equal('new new');
  });

  it('tries the same code again that could not be imported', async () => {
    const lines = [
      "import { existsSync } from 'node:fs';",
      "import { word } from './word.mjs';",
      "import 'koine-late';",
      "if (!existsSync(new URL('./rules', import.meta.url))) throw new Error('No rules.');",
      `export default ${plugin('word')};\n`,
    ];
    write('mine.mjs', lines.join('\n'));
    write('word.mjs', "export const word = 'there';\n");
    expect(await failureOf('./mine.mjs')).to.contain("Cannot find package 'koine-late'");
    write('node_modules/koine-late/package.json', '{ "name": "koine-late", "main": "index.js" }');
    write('node_modules/koine-late/index.js', '');
    expect(await failureOf('./mine.mjs')).to.contain('No rules.');
    write('rules', '');
    expect(await loadDescription('./mine.mjs')).to.equal('there');
  });

  it('loads the code that another process sends, whatever the files are by then', async () => {
    const files = ['mine.mjs', 'a.cjs', 'b.js', 'plain.js', 'c.js'];
    write('sender/mine.mjs', `import { a } from './a.cjs';\nexport default ${plugin('a')};\n`);
    write('sender/a.cjs', "exports.a = require('./b.js').b;\n");
    write('sender/b.js', "exports.b = 'sent';\n");
    write('sender/plain.js', `import { c } from './c.js';\nexport default ${plugin('c')};\n`);
    write('sender/c.js', "export const c = 'sent';\n");
    for (const path of files) write(`receiver/${path}`, 'this is no = code');
    for (const path of ['c.js', 'b.js', 'plain.js']) rmSync(join(folder, 'receiver', path));
    const receive = (path: string): string => path.replace('/sender/', '/receiver/');
    for (const name of ['mine.mjs', 'plain.js']) {
      const { code } = await load(`./sender/${name}`);
      const sent = [...(code?.files ?? [])].map(([path, file]) => [receive(path), file] as const);
      const known = { entry: receive(code?.entry ?? ''), files: new Map(sent), missing: [] };
      expect(await loadDescription(`./receiver/${name}`, known)).to.equal('sent');
    }
  });

  it('never loads an installed package again, and reports that it has changed', async () => {
    write('node_modules/koine-guard/package.json', '{ "name": "koine-guard", "type": "module", "main": "index.js" }');
    write('node_modules/koine-guard/index.js', `export default ${plugin("'one'")};\n`);
    const { isOutdated, code } = await load('koine-guard');
    expect({ isOutdated, code }).to.deep.equal({ isOutdated: false, code: undefined });
    write('node_modules/koine-guard/index.js', `export default ${plugin("'two'")};\n`);
    const later = await load('koine-guard');
    expect(described(later)).to.equal('one');
    expect(later.isOutdated).to.equal(true);
  });

  it('loads a linked package again', async () => {
    write('workspace/guard/package.json', '{ "name": "koine-guard", "type": "module", "main": "index.js" }');
    write('workspace/guard/index.js', `export default ${plugin("'one'")};\n`);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(folder, 'workspace/guard'), join(folder, 'node_modules/koine-guard'));
    expect(await loadDescription('koine-guard')).to.equal('one');
    write('workspace/guard/index.js', `export default ${plugin("'two'")};\n`);
    expect(await loadDescription('koine-guard')).to.equal('two');
  });

  it('refuses a changed ES module that is loaded by require, of which Node keeps the old code', async () => {
    write('mine.cjs', `const { word } = require('./word.mjs');\nmodule.exports = ${plugin('word')};\n`);
    write('word.mjs', "export const word = 'one';\n");
    expect(await loadDescription('./mine.cjs')).to.equal('one');
    write('word.mjs', "export const word = 'two';\n");
    expect(await failureOf('./mine.cjs')).to.contain(
      'word.mjs is an ES module that has changed and is loaded by require(), for which Node keeps the old code',
    );
  });
});
