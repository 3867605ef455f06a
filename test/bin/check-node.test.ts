import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
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
  for (const file of ['bin/koine.js', 'core/main.ts']) {
    it(`an older Node gets instructions from ${file}`, () => {
      const { status, stderr } = startAs('20.20.2', file);
      expect(stderr)
        .to.contain('koine needs Node 24 or newer and was started on Node 20.20.2')
        .and.to.contain('npm ci');
      expect(status).to.equal(2);
    });

    it(`reports no Node that is new enough in ${file}`, () => {
      expect(startAs('24.0.0', file)).to.deep.equal({ status: 0, stderr: '' });
    });
  }
});
