import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../../../core/cli/check/find-problems.ts';
import { formatProblem } from '../../../core/config/problem.ts';
import { builtIns } from '../config/fixture-built-ins.ts';

const definition = (name: string): string =>
  `export default { kind: 'plugin', apiVersion: 1, name: ${name}, schema: { type: 'object' }, create: () => ({}) };\n`;

interface Broken {
  readonly what: string;
  /** By path. The entry file is the first one. */
  readonly files: Readonly<Record<string, string>>;
  readonly use?: string;
  readonly code: string;
  /** The message; DIR is the folder. */
  readonly message: string;
}

const cases: readonly Broken[] = [
  {
    what: 'a package that is not installed',
    files: { 'mine.mjs': "import '@acme/guard/rules';\n" },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.mjs" imports something that cannot be found: Cannot find package \'@acme/guard\' imported from ' +
      'DIR/mine.mjs. Install the package "@acme/guard" in DIR: npm install --prefix DIR @acme/guard.',
  },
  {
    what: 'a package that its package.json lists and that is not installed',
    files: {
      'lib/mine.cjs': "module.exports = require('@acme/guard/rules');\n",
      'package.json': '{ "dependencies": { "@acme/guard": "^1.0.0" } }',
    },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./lib/mine.cjs" imports something that cannot be found: Cannot find module \'@acme/guard/rules\'. Install the ' +
      'package "@acme/guard" in DIR: npm install --prefix DIR.',
  },
  ...["import 'koine';\n", "import 'koine/codec';\n"].map((code): Broken => ({
    what: `the name of the command instead of that of the package: ${code.trim()}`,
    files: { 'mine.mjs': code, 'package.json': '{ "dependencies": { "koine": "^1.0.0" } }' },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.mjs" imports something that cannot be found: Cannot find package \'koine\' imported from ' +
      'DIR/mine.mjs. The package of this gateway is "koine-gateway": import from it, and install it in its place.',
  })),
  {
    what: 'a dependency of an installed package that is missing',
    files: {
      'node_modules/koine-guard/index.mjs': "import 'rules';\n",
      'node_modules/koine-guard/package.json': '{ "name": "koine-guard", "main": "index.mjs" }',
    },
    use: 'koine-guard',
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"koine-guard" imports something that cannot be found: Cannot find package \'rules\' imported from ' +
      'DIR/node_modules/koine-guard/index.mjs. Install the package "rules" in DIR: npm install --prefix DIR rules.',
  },
  {
    what: 'a file with another ending',
    files: { 'mine.ts': `import { name } from './rules.js';\n${definition('name')}`, 'rules.ts': '' },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.ts" imports something that cannot be found: Cannot find module \'DIR/rules.js\' imported from ' +
      'DIR/mine.ts. Imports name files in full: write rules.ts instead of rules.js.',
  },
  {
    what: 'a folder instead of its index',
    files: { 'mine.ts': "import './rules';\n", 'rules/index.ts': '' },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.ts" imports something that cannot be found: Directory import \'DIR/rules\' is not supported resolving ' +
      'ES modules imported from DIR/mine.ts. Imports name files in full: write rules/index.ts instead of rules.',
  },
  {
    what: 'a file that does not exist',
    files: { 'mine.cjs': "require('./rules');\n" },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.cjs" imports something that cannot be found: Cannot find module \'./rules\'. There is no file DIR/rules.',
  },
  {
    what: 'an entry that the gateway does not have',
    files: { 'mine.mjs': "import 'koine-gateway/core';\n" },
    code: 'KOINE_EXTENSION_DEPENDENCY_MISSING',
    message:
      '"./mine.mjs" imports something that cannot be found: koine-gateway/core is not an entry of the gateway. Its ' +
      'entries: koine-gateway, koine-gateway/codec, koine-gateway/database, koine-gateway/metrics, ' +
      'koine-gateway/testing, koine-gateway/openai-compatible, koine-gateway/register, koine-gateway/package.json.',
  },
  {
    what: 'TypeScript in node_modules',
    files: {
      'node_modules/koine-guard/index.ts': definition("'guard' as string"),
      'node_modules/koine-guard/package.json': '{ "name": "koine-guard", "type": "module", "main": "index.ts" }',
    },
    use: 'koine-guard',
    code: 'KOINE_EXTENSION_TYPESCRIPT',
    message:
      '"koine-guard" cannot be run: DIR/node_modules/koine-guard/index.ts is TypeScript in node_modules, which Node ' +
      'does not run. Compile the package to JavaScript before it is published, or name its file by a path outside of ' +
      'node_modules.',
  },
  {
    what: 'an enum',
    files: {
      'mine.ts': `import { name } from './colour.ts';\n${definition('name')}`,
      'colour.ts': "export const name = 'mine';\n\nexport enum Colour { Red = 'red' }\n",
    },
    code: 'KOINE_EXTENSION_TYPESCRIPT',
    message:
      '"./mine.ts" cannot be run: DIR/colour.ts:3: TypeScript enum is not supported in strip-only mode. Node only ' +
      "removes types and compiles nothing. Instead of an enum, write a constant object: const Color = { Red: 'red' } " +
      'as const. Or compile the extension to JavaScript.',
  },
  {
    what: 'a parameter property',
    files: { 'mine.ts': 'export default class {\n  constructor(readonly name: string) {}\n}\n' },
    code: 'KOINE_EXTENSION_TYPESCRIPT',
    message:
      '"./mine.ts" cannot be run: DIR/mine.ts:2: TypeScript parameter property is not supported in strip-only mode. ' +
      'Node only removes types and compiles nothing. Instead of a parameter property, declare a field and set it in ' +
      'the constructor. Or compile the extension to JavaScript.',
  },
  {
    what: 'the import of a type as a value',
    files: {
      'mine.ts': `import { Rule } from './rule.ts';\nexport const rule: Rule = 'x';\n`,
      'rule.ts': 'export type Rule = string;\n',
    },
    code: 'KOINE_EXTENSION_BROKEN',
    message:
      '"./mine.ts" threw an error while it was imported: The requested module \'./rule.ts\' does not provide an export ' +
      "named 'Rule' (DIR/mine.ts:1). If Rule is a type, write: import { type Rule }.",
  },
  {
    what: 'an import from another entry of the gateway than the one that has it',
    files: { 'mine.mjs': `import { readObject } from 'koine-gateway';\n${definition("'mine'")}` },
    code: 'KOINE_EXTENSION_BROKEN',
    message:
      '"./mine.mjs" threw an error while it was imported: The requested module \'koine-gateway\' does not provide an ' +
      "export named 'readObject' (DIR/mine.mjs:1). Import it from 'koine-gateway/codec'.",
  },
  {
    what: 'the import of a type of the gateway as a value',
    files: { 'mine.mjs': `import { Exchange } from 'koine-gateway';\n${definition("'mine'")}` },
    code: 'KOINE_EXTENSION_BROKEN',
    message:
      '"./mine.mjs" threw an error while it was imported: The requested module \'koine-gateway\' does not provide an ' +
      "export named 'Exchange' (DIR/mine.mjs:1). If Exchange is a type, write: import { type Exchange }.",
  },
  {
    what: 'an error in a file that it imports',
    files: {
      'mine.ts': "import './rules.ts';\n",
      'rules.ts': "const x: number = 1;\n\nthrow new Error('No rules.');\n",
    },
    code: 'KOINE_EXTENSION_BROKEN',
    message: '"./mine.ts" threw an error while it was imported: No rules. (DIR/rules.ts:3).',
  },
  {
    what: 'a syntax error in TypeScript',
    files: { 'mine.ts': 'export const one = 1;\nexport const two = = 2;\n' },
    code: 'KOINE_EXTENSION_BROKEN',
    message: '"./mine.ts" threw an error while it was imported: Expression expected (DIR/mine.ts:2).',
  },
  {
    what: 'a syntax error in JavaScript',
    files: { 'mine.mjs': "import './rules.mjs';\n", 'rules.mjs': 'export const one = 1;\nexport const two = = 2;\n' },
    code: 'KOINE_EXTENSION_BROKEN',
    message: '"./mine.mjs" threw an error while it was imported: Unexpected token \'=\' (DIR/rules.mjs:2).',
  },
];

describe('the code of an extension that cannot be loaded', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const { what, files, use = `./${Object.keys(files)[0]}`, code, message } of cases)
    it(`reports what to do about ${what}`, async () => {
      for (const [path, text] of Object.entries({ 'package.json': '{ "private": true }', ...files })) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      writeFileSync(join(folder, 'gateway.yaml'), JSON.stringify({ plugins: [{ use }] }));
      const { problems } = await findProblems({ file: join(folder, 'gateway.yaml'), audit: false, builtIns, env: {} });
      expect(problems.map((problem) => [problem.rule, problem.message.replaceAll(folder, 'DIR')])).to.deep.equal([
        [code, message],
      ]);
      expect(formatProblem(problems[0]!)).to.contain(`docs/reference/rules.md#${code.toLowerCase()}`);
    });
});
