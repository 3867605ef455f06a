import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lockfile.ts';
import { run } from './run.ts';

/** The commit that is released. */
export interface Release {
  readonly commit: string;
  /** Seconds; the time of every file in what is built. */
  readonly time: string;
  readonly version: string;
}

export function readRelease(): Release {
  const [commit = '', time = ''] = run('git', ['log', '-1', '--format=%H %ct'], { cwd: root }).trim().split(' ');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  return { commit, time, version };
}

/**
 * Writes the files of the commit, as a release has them: without what is not committed, and without `private`.
 * The tests are most of the files, and nothing of a release is built from them. The installed packages are those of the
 * checkout, which `npm ci` has compared with the lockfile.
 */
export function writeCopy(folder: string, { commit }: Release): void {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'archive.tar');
  run('git', ['archive', '--format=tar', '--output', archive, commit, ':(exclude)test'], { cwd: root });
  run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const manifest = join(folder, 'package.json');
  const { private: _, ...published } = JSON.parse(readFileSync(manifest, 'utf8')) as Readonly<Record<string, unknown>>;
  writeFileSync(manifest, `${JSON.stringify(published, undefined, 2)}\n`);
}
