import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/** What the steps of the Dockerfile need. There is no curl: the image has to do without. */
const PROGRAMS = ['sh', 'cat', 'chmod', 'chown', 'cp', 'env', 'gzip', 'ln', 'mkdir', 'mv', 'rm', 'rmdir', 'tar'];
const FOLDERS = [
  'dev',
  'etc',
  'home/node',
  'opt',
  'proc',
  'root',
  'run',
  'sys',
  'tmp',
  'usr/bin',
  'var/lib',
  'var/tmp',
];

const find = (program: string): string =>
  realpathSync(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim());

/**
 * The shared libraries of a program, by the paths at which it loads them. Beside the C library there is librt, which no
 * program here needs, and the bundler of the build does: both are of the same package.
 */
const librariesOf = (program: string): readonly string[] =>
  (spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? []).flatMap((path) =>
    path.endsWith('/libc.so.6') ? [path, join(dirname(path), 'librt.so.1')] : [path],
  );

/**
 * Writes the files of a stand-in for the image `node:24-…-slim`, which a test cannot download: this Node and npm where
 * the real image has them, a shell, and the user "node".
 */
export function writeBaseImage(folder: string): void {
  for (const path of FOLDERS) mkdirSync(join(folder, path), { recursive: true });
  chmodSync(join(folder, 'tmp'), 0o1777);
  symlinkSync('usr/bin', join(folder, 'bin'));
  const modules = join(folder, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(dirname(dirname(find('npm'))), join(modules, 'npm'), { recursive: true });
  mkdirSync(join(folder, 'usr/local/bin'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  const programs = [
    [process.execPath, 'usr/local/bin/node'],
    ...PROGRAMS.map((name) => [find(name), `usr/bin/${name}`]),
  ] as const;
  for (const [from = '', to = ''] of programs) {
    copyFileSync(from, join(folder, to));
    for (const library of librariesOf(from)) {
      mkdirSync(join(folder, dirname(library)), { recursive: true });
      copyFileSync(library, join(folder, library));
    }
  }
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

/** The registry of this machine, and its certificates, as `--change` options: `npm ci` runs in the image too. */
export function registryOptions(folder: string): readonly string[] {
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates !== undefined) copyFileSync(certificates, join(folder, 'etc/extra-certificates.pem'));
  return [
    `NPM_CONFIG_REGISTRY=${run('npm', ['config', 'get', 'registry']).trim()}`,
    ...(certificates === undefined ? [] : ['NODE_EXTRA_CA_CERTS=/etc/extra-certificates.pem']),
  ].flatMap((variable) => ['--change', `ENV ${variable}`]);
}
