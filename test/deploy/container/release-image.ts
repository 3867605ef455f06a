import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseDry } from '../../../tools/release/dry/main.ts';
import { verify } from '../../../tools/release/dry/sign.ts';
import { root } from '../../../tools/release/lockfile.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { BUILD, importBase, requirePodman, RUN, startPodman, type Podman } from './podman.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const IMAGE = `koine-image-${version}.tar`;
const BASE = 'docker.io/library/node:24-release';

/** The command of docs/operate/verify.md with `--base`, on a stand-in. Not part of `npm test`: it needs a registry. */
describe('the image of a release', function () {
  this.timeout(3_600_000);
  const folder = createTemporaryFolder();
  const out = join(folder.path, 'release');
  const printed: string[] = [];
  let podman: Podman;

  before(async function () {
    requirePodman(this);
    podman = await startPodman();
    importBase(podman, 'node:24-release');
    const digest = podman.run('image', 'inspect', '--format={{.Digest}}', BASE).trim();
    const image = {
      base: `docker.io/library/node@${digest}`,
      podman: (command: string, ...words: readonly string[]) =>
        podman.run(...(command === 'build' ? BUILD : [command]), ...words),
    };
    releaseDry({ out, image }, (line) => printed.push(line));
  });
  after(() => {
    podman?.remove();
    folder.remove();
  });

  it('is built twice with the same bytes from two copies of the commit, and is signed with its provenance', () => {
    expect(printed[0]).to.include('built twice, byte for byte the same: ').and.include(IMAGE);
    expect(readdirSync(out)).to.include(IMAGE);
    expect(verify(out)).to.include(`${IMAGE}: OK`);
    expect(readFileSync(join(out, 'provenance.json'), 'utf8')).to.include(`"name": "${IMAGE}"`);
  });

  it('is loaded and runs', () => {
    podman.run('rmi', '--force', `localhost/koine:${version}`);
    const [name = ''] = /\S+$/.exec(podman.run('load', '--quiet', `--input=${join(out, IMAGE)}`).trim()) ?? [];
    expect(podman.run(...RUN, '--rm', name, 'version')).to.match(
      new RegExp(`^koine ${version} \\(commit [0-9a-f]{40}, `),
    );
  });

  it('needs a base image that is pinned by its digest', () => {
    const image = { base: 'node:24-slim', podman: () => '' };
    expect(() => releaseDry({ out: join(folder.path, 'none'), image }, () => {})).to.throw(
      'The base image is not pinned: write its digest',
    );
  });
});
