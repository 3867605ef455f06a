import { expect } from 'chai';
import { listLicenses } from '../../tools/release/licenses.ts';
import { readLockfile } from '../../tools/release/lockfile.ts';
import { createBom } from '../../tools/release/sbom.ts';

describe('npm run sbom', () => {
  it('lists each production dependency with its hash, and nothing else', () => {
    const { metadata, components } = createBom();
    expect(metadata.component.name).to.equal('koine-gateway');
    const found = components.map(({ name, version }) => `${name}@${version}`).toSorted();
    expect(found).to.deep.equal(
      listLicenses(readLockfile())
        .map(({ name, version }) => `${name}@${version}`)
        .toSorted(),
    );
    expect(components.filter(({ hashes }) => hashes[0]?.alg !== 'SHA-512')).to.deep.equal([]);
  }).timeout(60_000);
});
