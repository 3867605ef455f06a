import { join } from 'node:path';
import type { Release } from './copy.ts';
import { packFolder } from './pack-folder.ts';

/** Runs a command of Podman. @returns standard output @throws Error with both outputs */
export type Podman = (...words: readonly string[]) => string;

/** A name of an image whose bytes are known. */
const PINNED = /@sha256:[0-9a-f]{64}$/;

/** @throws Error for a base image that can change */
export function checkBase(base: string): void {
  if (PINNED.test(base)) return;
  throw new Error(
    `The base image is not pinned: write its digest, as node:24.21.0-bookworm-slim@sha256:…, not ${base}.`,
  );
}

/**
 * Builds the image from a copy, as an OCI layout in a tar. Its bytes depend on the commit and on the base image. It has
 * no compile cache, since V8 writes other bytes each time.
 */
export function buildImage(podman: Podman, base: string, copy: string, out: string, release: Release): void {
  const { commit, time, version } = release;
  const name = `localhost/koine:${version}`;
  const variables = { BASE: base, COMPILE_CACHE: 'no', VERSION: version, REVISION: commit };
  const words = Object.entries(variables).map(([variable, value]) => `--build-arg=${variable}=${value}`);
  podman(
    'build',
    '--no-cache',
    '--layers=false',
    '--format=oci',
    `--timestamp=${time}`,
    ...words,
    `--tag=${name}`,
    copy,
  );
  const layout = join(copy, '../image');
  podman('save', '--quiet', '--format=oci-dir', `--output=${layout}`, name);
  packFolder(layout, '.', join(out, `koine-image-${version}.tar`), release);
}
