import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFiles } from './build.ts';
import { listDifferences, writeChecksums } from './checksums.ts';
import { readRelease, writeCopy } from './copy.ts';
import { buildImage, checkBase, type Podman } from './image.ts';
import { describeProvenance } from './provenance.ts';
import { run } from './run.ts';
import { createKey, sign, SIGNERS, verify, writeSigners } from './sign.ts';

export interface DryRun {
  /** The folder for the files of the release: a new or an empty one. */
  readonly out: string;
  /** The key that signs them, with its public key beside it; absent: one for this run. */
  readonly key?: string;
  /** Builds the image too, on a base image that is pinned by its digest. */
  readonly image?: { readonly base: string; readonly podman: Podman };
}

/** Two builds of the same commit, which differ in all that must not matter. */
const surroundings = [
  { folder: 'one', timeZone: 'UTC', umask: 0o022 },
  { folder: 'another-folder', timeZone: 'Asia/Kathmandu', umask: 0o077 },
] as const;

/** @throws Error where the builds differ, or a step fails; then `out` has no files */
export function releaseDry({ out, key, image }: DryRun, say: (line: string) => void): void {
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} has files. Remove them, or name another folder with --out.`);
  if (image !== undefined) checkBase(image.base);
  const top = mkdtempSync(join(tmpdir(), 'koine-release-'));
  try {
    const release = readRelease();
    const [one = '', other = ''] = surroundings.map(({ folder, ...around }) => {
      const copy = join(top, folder, 'source');
      const built = join(top, folder, 'out');
      writeCopy(copy, release);
      buildFiles(copy, built, release, around);
      if (image !== undefined) buildImage(image.podman, image.base, copy, built, release);
      writeFileSync(join(built, 'provenance.json'), describeProvenance(built, release, image?.base));
      return built;
    });
    const differences = listDifferences(one, other);
    if (differences.length > 0) throw new Error(`Two builds of ${release.commit} differ in ${differences.join(', ')}.`);
    say(`${release.commit}, built twice, byte for byte the same: ${readdirSync(one).join(', ')}`);

    writeChecksums(one);
    const signer = key ?? createKey(top);
    sign(one, signer);
    writeSigners(join(one, SIGNERS), signer);
    say(`signed, and verified:\n${verify(one)}`);

    mkdirSync(out, { recursive: true });
    for (const name of readdirSync(one)) copyFileSync(join(one, name), join(out, name));
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { out: { ...text, default: 'release' }, key: text, base: text };
  const { out, key, base } = parseArgs({ options }).values;
  const podman: Podman = (...words) => run('podman', words);
  const parts = {
    ...(key === undefined ? {} : { key: resolve(key) }),
    ...(base === undefined ? {} : { image: { base, podman } }),
  };
  releaseDry({ out: resolve(out), ...parts }, console.log);
  console.log(`wrote ${out}`);
}
