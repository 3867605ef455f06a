import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the lint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-lint-'));
  after(() => rmSync(folder, { recursive: true }));

  const lint = (source: string): { readonly status: number | null; readonly output: string } => {
    const file = join(folder, 'source.ts');
    writeFileSync(file, source);
    const command = join(root, 'node_modules/.bin/oxlint');
    const { status, stdout } = spawnSync(command, ['-c', join(root, '.oxlintrc.json'), file], { encoding: 'utf8' });
    return { status, output: stdout };
  };

  it('refuses two imports of one module', () => {
    const body = 'export const here = (path: URL): string => join(fileURLToPath(path));\n';
    const once = `import { join } from 'node:path';\nimport { fileURLToPath, type URL } from 'node:url';\n${body}`;
    const twice = once.replace(', type URL }', ' }').replace(body, `import type { URL } from 'node:url';\n${body}`);
    expect(lint(once).status, lint(once).output).to.equal(0);
    expect(lint(twice).status).to.equal(1);
    expect(lint(twice).output).to.contain('no-duplicate-imports');
  });
});
