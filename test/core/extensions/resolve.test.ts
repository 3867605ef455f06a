import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { importExtension } from '../../../core/extensions/modules/import.ts';
import { resolveExtension, type Resolved } from '../../../core/extensions/resolve.ts';
import { builtIns } from '../config/fixture-built-ins.ts';

describe('resolveExtension', () => {
  let folder = '';
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const resolve = (use: string): Resolved =>
    resolveExtension('plugin', use, join(folder, 'conf', 'gateway.yaml'), builtIns);

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'koine-')));
    write('conf/gateway.yaml', '');
    write('conf/own.ts', '');
    write('shared/own.ts', '');
    write('node_modules/guard/index.js', '');
    write('node_modules/plain/index.js', '');
    write(
      'node_modules/@acme/filter/package.json',
      JSON.stringify({
        name: '@acme/filter',
        type: 'module',
        exports: { '.': { types: './index.d.ts', import: './esm.js' } },
      }),
    );
    write('node_modules/@acme/filter/esm.js', 'export default 1;');
    write('node_modules/closed/package.json', JSON.stringify({ name: 'closed', exports: { './other': './other.js' } }));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prefers a built-in to a package of the same name', () => {
    expect(resolve('guard')).to.deep.equal({ builtIn: 'guard' });
  });

  it('resolves paths relative to the configuration', () => {
    expect(resolve('./own.ts')).to.deep.equal({ file: join(folder, 'conf/own.ts') });
    expect(resolve('../shared/own.ts')).to.deep.equal({ file: join(folder, 'shared/own.ts') });
    expect(resolve(join(folder, 'shared/own.ts'))).to.deep.equal({ file: join(folder, 'shared/own.ts') });
  });

  it('resolves packages that are installed beside the configuration, including import-only ones', () => {
    expect(resolve('plain')).to.deep.equal({ file: join(folder, 'node_modules/plain/index.js') });
    expect(resolve('@acme/filter')).to.deep.equal({ file: join(folder, 'node_modules/@acme/filter/esm.js') });
  });

  for (const use of ['own.ts', 'own', './own', 'koine-plugin-plain', 'fs', 'node:fs', 'closed', 'toString', '.hidden'])
    it(`refuses to resolve ${use}`, () => {
      expect(() => resolve(use))
        .to.throw()
        .with.property('code', 'KOINE_EXTENSION_NOT_FOUND');
    });

  it('times out when the import of a module never completes', async () => {
    const file = new URL('../../fixtures/extensions/import-never-ends/index.js', import.meta.url).pathname;
    const thrown: unknown = await importExtension('./index.js', file, undefined, 20).catch((error: unknown) => error);
    expect(thrown).to.have.property('code', 'KOINE_EXTENSION_TIMEOUT');
    expect(thrown).to.have.property('message', 'The import of "./index.js" did not complete within 20 ms.');
  });
});
