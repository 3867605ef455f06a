import { expect } from 'chai';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTypes } from '../api/compile-types.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { documents, root } from './pages.ts';

const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: 'force',
  },
  include: ['*.ts'],
};

/** Compiles each text as a module of its own. @returns what the compiler prints */
const compile = (texts: Readonly<Record<string, string>>): string => {
  const folder = createTemporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder.path, name), text);
  const { stdout, stderr } = compileTypes(['-p', folder.path], folder.path);
  folder.remove();
  return `${stdout}${stderr}`;
};

describe('TypeScript in the pages', () => {
  it('each block of TypeScript compiles, and the compiler reports a wrong one', function () {
    this.timeout(180_000);
    const blocks = documents.flatMap(({ path, blocks: all }) =>
      all
        .filter(({ language, marks }) => language === 'ts' && (marks['test'] ?? marks['untested']) === undefined)
        .map(({ line, text }) => [`${path.replaceAll(/[/.]/g, '-')}-line-${line}.ts`, text] as const),
    );
    expect(blocks.length).to.be.greaterThan(4);
    const wrong = "import { definePlugin } from 'koine-gateway';\nexport default definePlugin({ kind: 'none' });\n";
    const reported = compile({ ...Object.fromEntries(blocks), 'wrong.ts': wrong })
      .trim()
      .split('\n');
    expect(reported.filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts'))).to.deep.equal([]);
    expect(reported[0]).to.match(/^wrong\.ts\(2,\d+\): error TS/);
  });
});
