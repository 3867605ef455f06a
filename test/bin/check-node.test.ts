import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from '../architecture/source-files.ts';

/** Starts a command on a Node that reports another version. */
const startAs = (version: string, file: string): { status: number | null; stderr: string } => {
  const disguise = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', disguise, `${root}${file}`, '--help'], {
    encoding: 'utf8',
  });
  return { status, stderr };
};

describe('an older Node', () => {
  for (const file of ['bin/koine.js', 'core/main.ts'])
    for (const version of ['20.20.2', '22.18.0', '23.11.1'])
      it(`${file} reports Node ${version} with instructions for a checkout`, () => {
        const { status, stderr } = startAs(version, file);
        expect(stderr).to.match(
          new RegExp(
            `^koine needs Node 24, or 22\\.19 or later of Node 22, and this is Node ${version}: .*npm ci.*\n$`,
          ),
        );
        expect(status).to.equal(2);
      });

  for (const version of ['22.19.0', '24.0.0', '25.1.0'])
    it(`bin/koine.js accepts Node ${version}`, () => {
      expect(startAs(version, 'bin/koine.js')).to.deep.equal({ status: 0, stderr: '' });
    });

  it('package.json declares the versions that the check accepts', () => {
    const { engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly engines: object };
    expect(engines).to.deep.equal({ node: '^22.19.0 || >=24.0.0' });
  });
});
