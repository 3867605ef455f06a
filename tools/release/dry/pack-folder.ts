import type { Release } from './copy.ts';
import { run } from './run.ts';

/** Writes a tar of sorted paths, each with the same owner, mode and time. */
export function packFolder(parent: string, name: string, file: string, { time }: Pick<Release, 'time'>): void {
  const fixed = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  run('tar', [...fixed, '--format=ustar', '-cf', file, '-C', parent, name]);
}
