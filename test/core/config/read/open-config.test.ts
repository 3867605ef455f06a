import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openConfig } from '../../../../core/config/read/open-config.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const module = new URL('../../../../core/config/read/open-config.ts', import.meta.url).href;

/** Opens a file in a process of its own. @returns how many modules of the library of YAML it has loaded */
const countLibrary = (file: string): number => {
  const script = `
    import { createRequire } from 'node:module';
    import { openConfig } from ${JSON.stringify(module)};
    const { collect } = await openConfig(${JSON.stringify(file)}, { A: 'b' });
    collect([]);
    const loaded = Object.keys(createRequire(${JSON.stringify(module)}).cache);
    process.stdout.write(String(loaded.filter((name) => name.includes('/node_modules/yaml/')).length));
  `;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
};

describe('openConfig', () => {
  const folder = createTemporaryFolder();
  after(() => folder.remove());
  const write = (text: string): string => {
    const file = join(folder.path, 'gateway.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('does not load the library of YAML for a simple file without problems', () => {
    expect(countLibrary(write('server: { port: 1 }\nadmin:\n  token: "${A}"\n'))).to.equal(0);
  });

  it('loads the library of YAML for any other file', () => {
    expect(countLibrary(write('server: &a { port: 1 }\nadmin: *a\n'))).to.be.above(10);
  });

  it('knows which settings of a simple file are written after defaults were added', async () => {
    const { data, isWritten } = await openConfig(write('server:\n  tls: {}\nplugins:\n  - use: auth\n'), {});
    Object.assign(data['server'] as object, { host: 'default' });
    Object.assign((data['plugins'] as object[])[0]!, { config: {} });
    Object.assign(data, { admin: {} });
    const paths = [
      ['server', 'tls'],
      ['plugins', 0, 'use'],
      ['server', 'host'],
      ['plugins', 0, 'config'],
      ['plugins', 1],
      ['admin'],
    ];
    expect(paths.map(isWritten)).to.deep.equal([true, true, false, false, false, false]);
  });

  it('knows what the variables of a simple file were replaced by', async () => {
    const text = 'server:\n  host: "${A:-x}:${B}"\n  port: $${A}\n';
    const { data, isShown, isResolved, writtenOf, substitutionsOf } = await openConfig(write(text), { B: 'y' });
    const path = ['server', 'host'];
    expect(data).to.deep.equal({ server: { host: 'x:y', port: '${A}' } });
    expect([isShown(path), isShown(['server', 'port']), isResolved(path)]).to.deep.equal([false, true, true]);
    expect(writtenOf(path)).to.equal('${A:-x}:${B}');
    expect(substitutionsOf(path)).to.deep.equal([
      { text: 'x', variable: 'A', isSet: false, fallback: 'x' },
      { text: 'y', variable: 'B', isSet: true },
    ]);
  });

  it('has the positions of a simple file', async () => {
    const { findKey, collect } = await openConfig(write('server:\n  host: x\n'), {});
    expect(findKey(['server', 'host'])).to.include({ line: 2, column: 3 });
    const [problem] = collect([{ path: ['server', 'host'], rule: 'invalid-value', message: 'm' }]);
    expect(problem).to.include({ line: 2, column: 9, frame: '  1 | server:\n> 2 |   host: x\n    |         ^' });
  });
});
