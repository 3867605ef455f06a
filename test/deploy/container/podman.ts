import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { root } from '../../../tools/release/lockfile.ts';
import { registryOptions, writeBaseImage } from './base-image.ts';
import { run } from './run.ts';

const isInstalled =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('podman', ['--version']).status === 0 &&
  spawnSync('crun', ['--version']).status === 0;

/** Skips the test without Podman, except in CI, where it is required. Call it in a `before` hook. */
export const requirePodman = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error('Podman is missing: install it as root (apt-get install --no-install-recommends podman crun).');
  context.skip();
};

/** Podman with a store of its own. */
export interface Podman {
  /** Runs a command of Podman. @returns standard output @throws Error with both outputs */
  run(...words: readonly string[]): string;
  /** Starts a command of Podman with pipes for its outputs. */
  spawn(...words: readonly string[]): ChildProcess;
  /** Removes containers, images and the store. */
  remove(): void;
}

/** The options that docs/operate/deploy.md recommends. */
export const HARDENED = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'];

/** Without a network, a container has its ports for itself. */
export const RUN = [
  'run',
  '--network=none',
  '--cgroups=disabled',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  '--read-only-tmpfs=false',
  ...HARDENED,
];

/** crun refuses a machine with both versions of cgroups. The containers here use none, so one can be hidden. */
const HIDE_CGROUPS = 'umount /sys/fs/cgroup/unified 2> /dev/null; echo ready; exec sleep infinity';

export async function startPodman(): Promise<Podman> {
  const folder = createTemporaryFolder();
  const holder = spawn('unshare', ['--mount', 'sh', '-c', HIDE_CGROUPS], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => holder.once('error', reject).stdout.once('data', resolve));
  const wordsOf = (words: readonly string[]): readonly string[] => [
    '--mount',
    `--target=${holder.pid}`,
    'podman',
    '--cgroup-manager=cgroupfs',
    '--log-level=fatal',
    `--root=${join(folder.path, 'store')}`,
    `--runroot=${join(folder.path, 'run')}`,
    ...words,
  ];
  return {
    run: (...words) => run('nsenter', wordsOf(words)),
    spawn: (...words) => spawn('nsenter', wordsOf(words), { stdio: ['ignore', 'pipe', 'pipe'] }),
    remove: () => {
      spawnSync('nsenter', wordsOf(['rm', '--all', '--force', '--volumes', '--time=0']));
      spawnSync('nsenter', wordsOf(['rmi', '--all', '--force']));
      holder.kill();
      folder.remove();
    },
  };
}

/** What each build needs here: no namespaces, the registry of this machine, and a base image that is in the store. */
export const BUILD = ['build', '--isolation=chroot', '--network=host', '--pull=never'];

/** Imports the stand-in for the base image. */
export function importBase(podman: Podman, base: string): void {
  const folder = createTemporaryFolder();
  try {
    const files = join(folder.path, 'base');
    writeBaseImage(files);
    const changes = registryOptions(files);
    run('tar', ['-C', files, '-cf', join(folder.path, 'base.tar'), '.']);
    podman.run('import', '--quiet', ...changes, join(folder.path, 'base.tar'), `docker.io/library/${base}`);
  } finally {
    folder.remove();
  }
}

/** Builds the image from the Dockerfile. Its base image is a stand-in. */
export function buildImage(podman: Podman, base: string, ...options: readonly string[]): void {
  importBase(podman, base);
  podman.run(...BUILD, '--format=docker', '--layers=false', ...options, '--tag=koine', root);
}
