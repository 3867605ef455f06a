import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CHECKSUMS, hashFile } from '../../tools/release/dry/checksums.ts';
import { run } from '../../tools/release/dry/run.ts';
import { createKey, sign, SIGNERS, verify } from '../../tools/release/dry/sign.ts';
import { root } from '../../tools/release/lockfile.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startRegistry } from './registry.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const PACKAGE = `koine-gateway-${version}.tgz`;
const CHART = `koine-chart-${version}.tgz`;

/** The command of docs/operate/verify.md. Not part of `npm test`: it builds the package twice. */
describe('npm run release:dry', function suite() {
  this.timeout(1_200_000);
  const top = createTemporaryFolder();
  const out = join(top.path, 'rebuilt');
  let printed = '';
  before(() => void (printed = run('npm', ['run', 'release:dry', '--', '--out', out], { cwd: root })));
  after(() => top.remove());

  it('builds the commit twice with the same bytes, signs, verifies, and writes the files to --out', () => {
    const commit = run('git', ['rev-parse', 'HEAD'], { cwd: root }).trim();
    expect(printed).to.include(`${commit}, built twice, byte for byte the same: `).and.include('signed, and verified');
    const files = [PACKAGE, CHART, 'sbom.cdx.json', 'provenance.json'];
    expect(readdirSync(out)).to.have.members([...files, CHECKSUMS, `${CHECKSUMS}.sig`, 'koine.signers']);
    for (const name of files) expect(verify(out)).to.include(`${name}: OK`);
    const list = (name: string): readonly string[] => run('tar', ['-tzf', join(out, name)]).split('\n');
    expect(list(PACKAGE)).to.include.members(['package/package.json', 'package/dist/bin/koine.js']);
    expect(list(CHART)).to.include.members(['koine/Chart.yaml', 'koine/values.yaml']);
    expect(run('tar', ['-xzOf', join(out, PACKAGE), 'package/package.json'])).to.not.include('"private"');
    expect(readFileSync(join(out, 'provenance.json'), 'utf8')).to.include(`"gitCommit": "${commit}"`);
  });

  it('a registry takes the package, once, and hands it out as it was signed, with its provenance', async () => {
    const folder = join(top.path, 'registry');
    const downloads = join(top.path, 'downloads');
    for (const path of [folder, downloads]) mkdirSync(path);
    const registry = await startRegistry(folder);
    try {
      registry.npm(['publish', join(out, PACKAGE)], out);
      expect(() => registry.npm(['publish', join(out, PACKAGE)], out)).to.throw(/previously published|E409|EPUBLISH/);
      registry.npm(['pack', '--silent', `koine-gateway@${version}`], downloads);
      for (const name of [CHECKSUMS, `${CHECKSUMS}.sig`, SIGNERS, 'provenance.json'])
        copyFileSync(join(out, name), join(downloads, name));
      expect(verify(downloads)).to.include(`${PACKAGE}: OK`).and.include('provenance.json: OK');
      const { subject } = JSON.parse(readFileSync(join(downloads, 'provenance.json'), 'utf8')) as {
        readonly subject: readonly object[];
      };
      expect(subject).to.deep.include({ name: PACKAGE, digest: { sha256: hashFile(join(downloads, PACKAGE)) } });
    } finally {
      await registry.stop();
    }
  });

  it('does not write to a folder with files', () => {
    const again = (): string => run(process.execPath, ['tools/release/dry/main.ts', '--out', out], { cwd: root });
    expect(again).to.throw('rebuilt has files. Remove them, or name another folder with --out.');
  });

  it('its signature is not that of a package in which one file was changed', () => {
    const whole = readFileSync(join(out, PACKAGE));
    const unpacked = join(top.path, 'unpacked');
    mkdirSync(unpacked);
    run('tar', ['-xzf', join(out, PACKAGE), '-C', unpacked]);
    writeFileSync(join(unpacked, 'package/dist/bin/koine.js'), 'changed');
    run('tar', ['-czf', join(out, PACKAGE), '-C', unpacked, 'package']);
    expect(() => verify(out)).to.throw(`${PACKAGE}: FAILED`);
    writeFileSync(join(out, PACKAGE), whole);
    expect(verify(out)).to.include(`${PACKAGE}: OK`);
  });

  it('a signature of another key is refused', () => {
    const keys = join(top.path, 'keys');
    mkdirSync(keys);
    rmSync(join(out, `${CHECKSUMS}.sig`));
    sign(out, createKey(keys));
    expect(() => verify(out)).to.throw(/Could not verify signature|Signature verification failed/);
  });
});
