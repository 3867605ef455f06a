import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { GatewayError } from '../../../core/api/index.ts';
import type { Extension } from '../../../core/extensions/extension.ts';
import { loadExtension } from '../../../core/extensions/load.ts';
import { createTestServices } from '../../../core/testing/index.ts';
import { builtIns } from '../config/fixture-built-ins.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** A plugin whose description in its schema is the value of the expression. */
const plugin = (expression: string): string =>
  `{ kind: 'plugin', apiVersion: 1, name: 'mine', schema: { type: 'object', description: ${expression} }, ` +
  'create: () => ({}) }';
const imports =
  "import { GatewayError } from 'koine-gateway';\nimport { createTestServices } from 'koine-gateway/testing';\n";
const esm = `${imports}export default ${plugin('{ GatewayError, createTestServices }')};\n`;
const cjs =
  "const { GatewayError } = require('koine-gateway');\nconst { createTestServices } = require('koine-gateway/testing');\n" +
  `module.exports = ${plugin('{ GatewayError, createTestServices }')};\n`;
const manifest = (more: object): string => JSON.stringify({ name: 'koine-guard', version: '1.0.0', ...more });
/** A copy of the gateway that must not run. */
const copyAt = (folder: string, copy: string): Readonly<Record<string, string>> => ({
  [`${folder}/koine-gateway/package.json`]: JSON.stringify({ name: 'koine-gateway', version: copy, main: 'index.js' }),
  [`${folder}/koine-gateway/index.js`]: "throw new Error('a second copy of the gateway was loaded');\n",
});

interface Layout {
  readonly what: string;
  readonly use?: string;
  readonly files: Readonly<Record<string, string>>;
  /** Links to folders, by path. */
  readonly links?: Readonly<Record<string, string>>;
  readonly warnings?: readonly RegExp[];
}

const layouts: readonly Layout[] = [
  { what: 'a TypeScript file beside the configuration', files: { 'mine.ts': esm } },
  { what: 'a CommonJS file', files: { 'mine.cjs': cjs } },
  {
    what: 'a compiled package with a peer dependency',
    use: '@acme/guard',
    files: {
      'node_modules/@acme/guard/dist/index.js': esm,
      'node_modules/@acme/guard/dist/package.json': '{ "type": "module" }',
      'node_modules/@acme/guard/package.json': JSON.stringify({
        name: '@acme/guard',
        exports: './dist/index.js',
        peerDependencies: { 'koine-gateway': `^${version}` },
      }),
    },
  },
  {
    what: 'a CommonJS package beside a copy of the same version',
    use: 'koine-guard',
    files: {
      'node_modules/koine-guard/index.js': cjs,
      'node_modules/koine-guard/package.json': manifest({}),
      ...copyAt('node_modules', version),
    },
  },
  {
    what: 'a file beside a copy of another version',
    files: { 'mine.ts': esm, ...copyAt('node_modules', '0.0.7') },
    warnings: [/^koine-gateway 0\.0\.7 is installed in .*\/node_modules\/koine-gateway, and this gateway is /],
  },
  {
    what: 'a linked package with a copy of its own',
    use: 'koine-guard',
    files: {
      'workspace/guard/index.mjs': esm,
      'workspace/guard/package.json': manifest({ main: 'index.mjs' }),
      ...copyAt('workspace/guard/node_modules', '0.0.7'),
      'node_modules/.keep': '',
    },
    links: { 'node_modules/koine-guard': 'workspace/guard' },
    warnings: [/^koine-gateway 0\.0\.7 is installed in .*\/workspace\/guard\/node_modules\/koine-gateway/],
  },
  {
    what: 'a package in the store of pnpm',
    use: 'koine-guard',
    files: {
      'node_modules/.pnpm/koine-guard@1.0.0/node_modules/koine-guard/index.mjs': esm,
      'node_modules/.pnpm/koine-guard@1.0.0/node_modules/koine-guard/package.json': manifest({ main: 'index.mjs' }),
      ...copyAt('node_modules/.pnpm/koine-guard@1.0.0/node_modules', '0.0.7'),
    },
    links: { 'node_modules/koine-guard': 'node_modules/.pnpm/koine-guard@1.0.0/node_modules/koine-guard' },
    warnings: [/^koine-gateway 0\.0\.7 is installed/],
  },
  {
    what: 'a package whose peer dependency excludes this gateway',
    use: 'koine-guard',
    files: {
      'node_modules/koine-guard/index.mjs': esm,
      'node_modules/koine-guard/package.json': manifest({
        main: 'index.mjs',
        peerDependencies: { 'koine-gateway': '>=99' },
      }),
    },
    warnings: [/^Its package\.json requires koine-gateway >=99, and this gateway is /],
  },
];

describe('the package koine-gateway', () => {
  let folder = '';
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const load = (use: string): Promise<Extension<'plugin'>> =>
    loadExtension('plugin', { use }, join(folder, 'gateway.yaml'), builtIns);

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const { what, files, links = {}, use = `./${Object.keys(files)[0]}`, warnings = [] } of layouts)
    it(`the package koine-gateway is the running gateway in ${what}`, async () => {
      write(files);
      for (const [path, target] of Object.entries(links)) symlinkSync(join(folder, target), join(folder, path));
      const extension = await load(use);
      const { description } = extension.definition.schema as { readonly description?: object };
      expect(description).to.have.property('GatewayError', GatewayError);
      expect(description).to.have.property('createTestServices', createTestServices);
      expect(extension.warnings).to.have.length(warnings.length);
      warnings.forEach((warning, index) => expect(extension.warnings?.[index]).to.match(warning));
    });

  it('the package koine-gateway is the running gateway in a thread and in a process of an extension', async () => {
    const resolved = `{ core: import.meta.resolve('koine-gateway'), ok: GatewayError.is(new GatewayError('starting')) }`;
    const options = "{ execArgv: ['--import', import.meta.resolve('koine-gateway/register')] }";
    write({
      ...copyAt('node_modules', '0.0.7'),
      'thread.ts': `${imports}import { parentPort } from 'node:worker_threads';\nparentPort?.postMessage(${resolved});\n`,
      'process.ts': `${imports}process.send?.(${resolved});\n`,
      'mine.ts': [
        "import { fork } from 'node:child_process';",
        "import { once } from 'node:events';",
        "import { Worker } from 'node:worker_threads';",
        `const options = ${options};`,
        "const [inThread] = await once(new Worker(new URL('./thread.ts', import.meta.url), options), 'message');",
        "const [inProcess] = await once(fork(new URL('./process.ts', import.meta.url), options), 'message');",
        `export default ${plugin('[inThread, inProcess]')};`,
      ].join('\n'),
    });
    const { definition } = await load('./mine.ts');
    const expected = { core: new URL('../../../core/api/index.ts', import.meta.url).href, ok: true };
    expect(definition.schema['description']).to.deep.equal([expected, expected]);
  });
});
