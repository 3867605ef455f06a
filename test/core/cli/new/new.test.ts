import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { templates } from '../../../../core/cli/new/templates.ts';
import { compileTypes } from '../../../api/compile-types.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { runHere } from '../run-here.ts';
import { root, runKoine } from '../run-koine.ts';
import { expectAnswer, newPackages } from './packages.ts';
import { bin } from '../../../support/servers/koine-program.ts';

const readFiles = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  );

describe('koine new', () => {
  const temporary = createTemporaryFolder();
  const cwd = temporary.path;
  after(() => temporary.remove());

  for (const written of newPackages) {
    const { kind, name, folder } = written;
    describe(kind, () => {
      before(async () => {
        const { code, err } = await runHere(['new', kind, name], { cwd });
        expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      });

      it(`koine new ${kind} copies an example, and only its names differ`, () => {
        const template = templates.get(kind)!;
        const original = readFiles(join(root, 'examples', template.example));
        const copy = readFiles(join(cwd, folder));
        expect([...copy.keys()]).to.have.members([...original.keys(), '.gitignore']);
        expect(JSON.parse(copy.get('package.json')!)).to.include({ name });
        expect(copy.get('index.ts')).to.include(`name: '${folder.replace(/^koine-\w+-/, '')}'`);
        for (const [file, text] of copy)
          expect(text, file).to.not.match(new RegExp(`${template.package}|(?<![/\\w])${template.extension}`));
      });

      it(`what koine new ${kind} writes passes its tests`, () => {
        const register = join(root, 'core/extensions/modules/register.ts');
        const { status, stdout } = spawnSync(process.execPath, ['--import', register, '--test'], {
          cwd: join(cwd, folder),
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/koine-gateway') },
        });
        expect(status, stdout).to.equal(0);
        expect(stdout).to.match(/pass [3-9]|pass \d\d/);
      });

      it(`what koine new ${kind} writes passes koine check`, async () => {
        const { code, out } = await runHere(['check', '--config', `${folder}/gateway.yaml`], { cwd });
        expect({ code, out }).to.deep.include({ code: 0 });
        expect(out).to.match(/is valid/);
      });

      it(`koine serve loads what koine new ${kind} writes, and answers a request`, () =>
        expectAnswer(written, cwd, [process.execPath, bin]));
    });
  }

  describe('all kinds', () => {
    it('what koine new writes compiles against the sources, tests included', function () {
      this.timeout(180_000);
      const options = newPackages.map(({ folder }) => readFileSync(join(cwd, folder, 'tsconfig.json'), 'utf8'));
      expect(new Set(options).size).to.equal(1);
      const own = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
        readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
      };
      const paths = Object.fromEntries(
        Object.entries(own.compilerOptions.paths).map(([name, files]) => [name, files.map((file) => join(root, file))]),
      );
      const compilerOptions = {
        noEmit: true,
        rootDir: '/',
        // The sources of the gateway need more than its types, and packages whose types do not fit together.
        lib: ['esnext'],
        skipLibCheck: true,
        typeRoots: [join(root, 'node_modules/@types')],
        paths,
      };
      const include = newPackages.map(({ folder }) => `${folder}/*.ts`);
      const config = { extends: `./${newPackages[0]?.folder}/tsconfig.json`, compilerOptions, include, exclude: [] };
      writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(config));
      const { status, stdout } = compileTypes(['-p', 'tsconfig.json'], cwd);
      expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
    });
  });

  it('prints the commands in the way koine was started', async () => {
    const next = async (name: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
      const { out } = await runHere(['new', 'plugin', name], { cwd, env });
      return out.split('\n').filter((line) => line.startsWith('  '));
    };
    const [install, test, serve] = await next('printed', {});
    expect(install).to.match(/npm install --prefix printed --no-save '.*'$/);
    expect([test, serve]).to.deep.equal(['  npm test --prefix printed', '  koine serve --config printed/gateway.yaml']);
    expect((await next('by-npx', { npm_lifecycle_event: 'npx' }))[2]).to.equal(
      '  npx koine-gateway serve --config by-npx/gateway.yaml',
    );
    expect((await next('by-npm', { npm_lifecycle_event: 'koine' }))[2]).to.equal(
      '  npm run koine -- serve --config by-npm/gateway.yaml',
    );
  });

  it('koine new writes into an empty folder, and leaves one with files as it is', async () => {
    mkdirSync(join(cwd, 'taken'));
    expect((await runKoine(['new', 'plugin', 'taken'], { cwd })).code).to.equal(0);
    writeFileSync(join(cwd, 'taken/index.ts'), 'mine');
    const { code, err } = await runHere(['new', 'plugin', 'taken'], { cwd });
    expect(code).to.equal(2);
    expect(err).to.include('taken exists and is not empty, so nothing was written.');
    expect(readFileSync(join(cwd, 'taken/index.ts'), 'utf8')).to.equal('mine');
  });

  it('koine new exits with 2 if the folder cannot be written', async () => {
    writeFileSync(join(cwd, 'a-file'), '');
    const { code, err } = await runHere(['new', 'plugin', 'a-file'], { cwd });
    expect(code).to.equal(2);
    expect(err).to.include('a-file cannot be written: it is a file, not a folder.');
  });

  const refusals: readonly (readonly [words: readonly string[], message: string])[] = [
    [[], 'Name what to write: plugin, provider, wire.'],
    [['codec', 'x'], 'Name what to write: plugin, provider, wire.'],
    [['plugin'], 'A name is missing. For example: koine new plugin team-models'],
    [['plugin', '--force'], 'A name is missing.'],
    [['plugin', 'mine', '--force'], "Unknown option '--force'"],
    ...['Team', 'my plugin', '_mine', '../mine', '@acme', 'mine-', '7up', 'x'.repeat(215)].map(
      (name) => [['plugin', name], `"${name}" cannot be the name of the package.`] as const,
    ),
    [['plugin', 'crypto'], '"crypto" is a module of Node. Use another name.'],
    [['plugin', 'koine-gateway'], '"koine-gateway" is a module of the gateway.'],
    [['plugin', 'auth'], 'The gateway has a built-in plugin "auth".'],
    [['wire', 'koine-provider-openai'], 'The gateway has a built-in provider "openai".'],
  ];
  for (const [words, message] of refusals)
    it(`koine new exits with 2 for "${words.join(' ').slice(0, 40)}", and writes nothing`, async () => {
      const before = readdirSync(cwd);
      const { code, err } = await runHere(['new', ...words], { cwd });
      expect(code).to.equal(2);
      expect(err).to.include(message);
      expect(readdirSync(cwd)).to.deep.equal(before);
    });

  it('koine new lists its kinds with --help', async () => {
    const { code, out } = await runHere(['new', '--help'], { cwd });
    expect(code).to.equal(0);
    expect(out).to.include('Usage: koine new plugin|provider|wire NAME');
    expect(existsSync(join(cwd, '--help'))).to.equal(false);
  });
});
