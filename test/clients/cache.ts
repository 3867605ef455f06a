import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

export const versions = join(import.meta.dirname, 'versions');
const parent = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'koine-clients');

/** A command with its arguments. */
export type Step = readonly [string, ...string[]];

/** @returns true if every program is there @throws Error in CI if one is missing */
export function hasPrograms(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`missing programs: ${missing.join(', ')}`);
  return missing.length === 0;
}

/**
 * Installs what the files pin into a folder outside the repository, unless an earlier run has done so. Each version of
 * the files has a folder of its own.
 * @param steps run in the folder, which has copies of the files
 */
export function installOnce(name: string, files: readonly string[], steps: readonly Step[]): string {
  const sources = files.map((file) => join(versions, file));
  const hash = createHash('sha256').update(JSON.stringify(steps));
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(parent, `${name}-${hash.digest('hex').slice(0, 12)}`);
  const done = join(folder, '.installed');
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const source of sources) copyFileSync(source, join(folder, basename(source)));
  const began = performance.now();
  for (const [command, ...words] of steps) {
    const { status, stderr, error } = spawnSync(command, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
    if (status !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? stderr}`);
  }
  process.stdout.write(`    ${name} installed in ${((performance.now() - began) / 1_000).toFixed(0)} s.\n`);
  writeFileSync(done, '');
  return folder;
}

/** Installs what a manifest of npm pins, with its lockfile if it has one. No install scripts run. */
export const installPackages = (name: string, steps: readonly Step[] = []): string =>
  installOnce(
    name,
    [`${name}/package.json`, `${name}/package-lock.json`].filter((file) => existsSync(join(versions, file))),
    [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'], ...steps],
  );

/** Installs what a file of pip pins into `venv`. */
export const installPython = (name: string, file: string): string =>
  installOnce(
    name,
    [file],
    [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', 'uv==0.13.9'],
      ['venv/bin/uv', 'pip', 'install', '--quiet', '--python', 'venv/bin/python', '-r', file],
    ],
  );
