import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeOrigin } from '../../../../core/server/explain/describe-origin.ts';

describe('the origin of an extension', () => {
  let folder: string;
  let file: string;
  const source = '/elsewhere/index.js';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-origin-'));
    file = join(folder, 'gateway.yaml');
    for (const name of ['plain', '@acme/scoped']) {
      const home = join(folder, 'node_modules', name);
      mkdirSync(join(home, 'dist'), { recursive: true });
      writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version: '1.2.3', exports: './dist/index.js' }));
      // A package.json like this inside a package does not have its version.
      writeFileSync(join(home, 'dist', 'package.json'), '{"type":"module"}');
      writeFileSync(join(home, 'dist', 'index.js'), '');
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [use, given, origin] of [
    ['auth', 'built-in', 'built-in'],
    ['./mine.ts', '/etc/koine/mine.ts', '/etc/koine/mine.ts'],
    ['plain', source, 'plain@1.2.3'],
    ['@acme/scoped', source, '@acme/scoped@1.2.3'],
    ['@acme/scoped/part', source, '@acme/scoped@1.2.3'],
    ['gone', source, source],
  ] as const)
    it(`use: ${use} has the origin ${origin}`, () =>
      expect(describeOrigin({ use, source: given }, file)).to.equal(origin));
});
