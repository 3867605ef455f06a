import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A package in `package-lock.json`: https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  /** By path: `''` is the project, `node_modules/…` a package of a registry, any other a folder of the project. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

export function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as Lockfile;
}

/** The name of a package by its path: `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** The packages of a registry, by path; without the project itself and links to its folders. */
export function registryPackages({ packages }: Lockfile): readonly (readonly [path: string, entry: LockedPackage])[] {
  return Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
}
