import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What `package-lock.json` says of one package. https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
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
  /** By place: `''` is the project, `node_modules/…` what a registry delivers, any other a folder of the project. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export const root = fileURLToPath(new URL('../', import.meta.url));

export function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as Lockfile;
}

/** The name of a package by its place: `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** What a registry delivers, by place; links to folders of the project and the project itself left out. */
export function deliveredPackages({ packages }: Lockfile): readonly (readonly [place: string, entry: LockedPackage])[] {
  return Object.entries(packages).filter(([place, { link }]) => place.startsWith('node_modules/') && link !== true);
}
